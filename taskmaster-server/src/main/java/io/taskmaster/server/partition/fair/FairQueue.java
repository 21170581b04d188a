package io.taskmaster.server.partition.fair;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A fair queue over groups, and within a group over its callers: deficit round robin on both levels (Shreedhar and
 * Varghese, "Efficient Fair Queueing Using Deficit Round Robin"), in bytes. Elements of one caller are served in the
 * order in which they were added. Of two callers of one group that both always have elements waiting, neither gets more
 * bytes than the other, except for two quanta and the largest element, however many elements each has waiting; the same
 * holds for two groups.
 *
 * <p>An element may be restricted: it can be taken only at certain times. Unrestricted elements of its caller may
 * overtake it then, and only then.
 *
 * <p>Memory is bounded by the number of waiting elements and by a number of callers. Further callers share one line in
 * their group or, if their group is not known either, in one group for the rest. A caller with nothing waiting is
 * forgotten as soon as its deficit is paid (ADR 16). Single-threaded.
 */
public final class FairQueue<E> {

    /**
     * The bytes that each group and each caller may take in a round. Small, so that a small request waits for little.
     */
    public static final long QUANTUM = 4 << 10;

    /** The name of the group, and of the caller, for those beyond the limit. */
    private static final Object OVERFLOW = new Object();

    /** The origin of an element: its group and its caller. Both are keys of maps. */
    public record Origin(Object group, Object caller) {}

    /** An element that was added, and its caller's line. */
    public static final class Ticket<E> {

        private final E element;
        private final Caller<E> caller;
        private final long bytes;
        private final boolean restricted;
        private final long number;

        private Ticket(E element, Caller<E> caller, long bytes, boolean restricted, long number) {
            this.element = element;
            this.caller = caller;
            this.bytes = bytes;
            this.restricted = restricted;
            this.number = number;
        }

        public E element() {
            return element;
        }

        public long bytes() {
            return bytes;
        }
    }

    private static final class Group<E> extends CallerQueue<Group<E>> {

        final Map<Object, Caller<E>> callers = new HashMap<>();
        final DeficitRoundRobin<Caller<E>> deficitRoundRobin;

        Group(Object name, DeficitRoundRobin<Caller<E>> deficitRoundRobin) {
            super(name);
            this.deficitRoundRobin = deficitRoundRobin;
        }

        @Override
        Group<E> self() {
            return this;
        }
    }

    private static final class Caller<E> extends CallerQueue<Caller<E>> {

        final Group<E> group;
        final Queue<Ticket<E>> queue = new ArrayDeque<>(2);
        final Queue<Ticket<E>> restrictedQueue = new ArrayDeque<>(2);
        long bytes;

        Caller(Object name, Group<E> group) {
            super(name);
            this.group = group;
        }

        @Override
        Caller<E> self() {
            return this;
        }

        Queue<Ticket<E>> queueOf(boolean isRestricted) {
            return isRestricted ? restrictedQueue : queue;
        }

        /** The element that was added first. */
        Ticket<E> first(boolean includeRestricted) {
            Ticket<E> unrestricted = queue.peek();
            Ticket<E> restricted = includeRestricted ? restrictedQueue.peek() : null;
            // Numbers run over both lines, so the order of arrival holds wherever restricted elements can be taken.
            return restricted == null || (unrestricted != null && unrestricted.number < restricted.number)
                    ? Objects.requireNonNull(unrestricted)
                    : restricted;
        }
    }

    private final int maxCallers;
    private final Map<Object, Group<E>> groups = new HashMap<>();
    private DeficitRoundRobin<Group<E>> deficitRoundRobin = new DeficitRoundRobin<>(this::forget);
    private int callers;
    private int waitingCallers;
    private int waitingGroups;
    private int waiting;
    private long bytes;
    private long added;

    /**
     * Creates a queue.
     *
     * @param maxCallers the number of callers, and of groups, that are distinguished
     */
    public FairQueue(int maxCallers) {
        this.maxCallers = maxCallers;
    }

    public boolean isEmpty() {
        return waiting == 0;
    }

    public int size() {
        return waiting;
    }

    /** The number of callers that are known. */
    public int callers() {
        return callers;
    }

    /** The number of groups with an element waiting. */
    public int waitingGroups() {
        return waitingGroups;
    }

    /**
     * Adds an element behind those of its caller.
     *
     * @param bytes its least cost when it is taken
     */
    public Ticket<E> add(Origin from, E element, long bytes, boolean restricted) {
        Group<E> group = group(from.group());
        Caller<E> caller = group.name.equals(OVERFLOW) ? caller(group, OVERFLOW) : caller(group, from.caller());
        Ticket<E> ticket = new Ticket<>(element, caller, bytes, restricted, added++);
        if (group.waiting == 0) {
            waitingGroups++;
        }
        if (caller.waiting == 0) {
            waitingCallers++;
        }
        waiting++;
        this.bytes += bytes;
        caller.bytes += bytes;
        caller.queueOf(restricted).add(ticket);
        deficitRoundRobin.added(group, restricted);
        group.deficitRoundRobin.added(caller, restricted);
        return ticket;
    }

    private Group<E> group(Object name) {
        Group<E> known = groups.get(name);
        if (known != null) {
            return known;
        }
        // While elements wait in the line for the rest, a caller not known otherwise may have one there, so it stays
        // there: this keeps the order of each caller.
        if (!name.equals(OVERFLOW) && (isFull() || isWaiting(groups.get(OVERFLOW)))) {
            return group(OVERFLOW);
        }
        Group<E> group = new Group<>(name, new DeficitRoundRobin<>(this::forget));
        groups.put(name, group);
        return group;
    }

    private Caller<E> caller(Group<E> group, Object name) {
        Caller<E> known = group.callers.get(name);
        if (known != null) {
            return known;
        }
        if (!name.equals(OVERFLOW) && (isFull() || isWaiting(group.callers.get(OVERFLOW)))) {
            return caller(group, OVERFLOW);
        }
        Caller<E> caller = new Caller<>(name, group);
        group.callers.put(name, caller);
        callers++;
        return caller;
    }

    private boolean isFull() {
        return callers >= maxCallers || groups.size() >= maxCallers;
    }

    private static boolean isWaiting(@Nullable CallerQueue<?> callerQueue) {
        return callerQueue != null && callerQueue.waiting > 0;
    }

    /**
     * Takes out the next element by round-robin, if there is one. To be followed by {@link #charge}.
     *
     * @param includeRestricted true if restricted elements can be taken now
     */
    public @Nullable Ticket<E> take(boolean includeRestricted) {
        Group<E> group = deficitRoundRobin.next(includeRestricted);
        if (group == null) {
            return null;
        }
        // The group was chosen for an element that can be taken, and one of its callers has that element.
        Caller<E> caller = Objects.requireNonNull(group.deficitRoundRobin.next(includeRestricted));
        Ticket<E> ticket = caller.first(includeRestricted);
        unlink(ticket);
        return ticket;
    }

    /**
     * Charges the cost of an element that was taken to its caller and group.
     *
     * @param cost in bytes
     */
    public void charge(Ticket<E> ticket, long cost) {
        Caller<E> caller = ticket.caller;
        Group<E> group = caller.group;
        // Forgotten since the take: when nothing waits any more, all deficits are dropped.
        if (groups.get(group.name) != group) {
            return;
        }
        group.deficitRoundRobin.settle(caller, cost);
        deficitRoundRobin.settle(group, cost);
        if (waiting == 0) {
            forgetAll();
        }
    }

    /** Removes an element that is not to be served; the cost grows with its distance from the head of its line. */
    public void remove(Ticket<E> ticket) {
        unlink(ticket);
        charge(ticket, 0);
    }

    private void unlink(Ticket<E> ticket) {
        Caller<E> caller = ticket.caller;
        Group<E> group = caller.group;
        caller.queueOf(ticket.restricted).remove(ticket);
        caller.bytes -= ticket.bytes;
        bytes -= ticket.bytes;
        waiting--;
        group.deficitRoundRobin.removed(caller, ticket.restricted);
        deficitRoundRobin.removed(group, ticket.restricted);
        if (caller.waiting == 0) {
            waitingCallers--;
        }
        if (group.waiting == 0) {
            waitingGroups--;
        }
    }

    /** Returns true if the caller of a waiting element has fewer bytes waiting than an equal part of all that waits. */
    public boolean isBelowFairShare(Ticket<E> ticket) {
        return ticket.caller.bytes * waitingCallers < bytes;
    }

    /**
     * The number of service opportunities used up by the groups and callers that are known; tests count steps by it.
     */
    long turns() {
        return deficitRoundRobin.turns()
                + groups.values().stream()
                        .mapToLong(group -> group.deficitRoundRobin.turns())
                        .sum();
    }

    private void forget(Group<E> group) {
        groups.remove(group.name);
        callers -= group.callers.size();
    }

    private void forget(Caller<E> caller) {
        caller.group.callers.remove(caller.name);
        callers--;
    }

    /** Forgets all deficits: nothing waits, so no caller competes with another. */
    private void forgetAll() {
        groups.clear();
        callers = 0;
        deficitRoundRobin = new DeficitRoundRobin<>(this::forget);
    }
}
