package io.taskmaster.stage.net;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory of an endpoint: bytes that were read and that the sink has not taken, and bytes that peers have not read, over all connections. Thread-safe; knows neither sockets nor time.
 *
 * <p>Each connection has a small part of its own ({@link #ownBytes}) for what it reads, another for what it sends, and a byte ({@link #PROBE_BYTES}); the rest is common. So one
 * that holds nothing is always read, and small messages go both ways whatever others hold. Beyond its own part, a connection reads from what is common:
 *
 * <ul>
 *   <li>A read takes its bytes when the socket is readable, not when it is asked for: a connection whose peer sends nothing holds nothing.
 *   <li>When nothing is left, what is read is one byte, which tells that there is more. Then the connection waits in the line, in which those that have waited longest come first, and
 *       is not read. While somebody waits, nobody else takes from what is common.
 *   <li>If all of it is held by messages that are not whole, nothing would ever come free. So if nothing is left, the first in the line is {@linkplain #isExempt exempt}, one at a time:
 *       it is read until its message is whole, and was taken by the sink.
 *   <li>Messages are sent while something is left. First answers are always taken. If answers alone hold all, {@link #isFullOfOutput nothing is given to the sink}.
 * </ul>
 *
 * <p>So what is held is never more than {@link #maxBytes}, one message that is read, one for each that is sent at this moment, and the answers to what was given to the sink.
 */
final class Budget {

    /** Hears what concerns all connections. Called without a lock, by anybody. */
    interface Hears {

        /** A connection has to wait, or a message is refused, since the budget is used up. */
        void pressed();

        /** There is room for answers again. */
        void outputFell();

        /** Calls {@link Budget#serve} in a moment. */
        void serveSoon();
    }

    /** The most that one read takes. */
    static final int READ_BYTES = 64 << 10;

    /** Of each connection, for the byte that tells that there is more. */
    static final int PROBE_BYTES = 1;

    private static final int MOST_OWN_BYTES = 4 << 10;

    private final long maxBytes;
    private final int ownBytes;
    private final long commonBytes;
    private final Hears hears;

    /** Of what is common; output is a part of it. */
    private final AtomicLong used = new AtomicLong();

    private final AtomicLong output = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();

    /** By how long they have waited. */
    @GuardedBy("lock")
    private final NavigableMap<Long, Share> line = new TreeMap<>();

    @GuardedBy("lock")
    private long lastTicket;

    /** The length of the line. Written under the lock. */
    private volatile int waiting;

    /** Written under the lock. */
    private volatile @Nullable Share exempt;

    Budget(long maxBytes, int maxConnections, Hears hears) {
        this.maxBytes = maxBytes;
        this.ownBytes = (int) Math.min(MOST_OWN_BYTES, maxBytes / 4 / maxConnections);
        this.commonBytes = maxBytes - (long) maxConnections * (2 * ownBytes + PROBE_BYTES);
        this.hears = hears;
    }

    long maxBytes() {
        return maxBytes;
    }

    /** Bytes that belong to each connection alone: so many for input, and as many for output. */
    int ownBytes() {
        return ownBytes;
    }

    /** How many connections are not read for want of memory. */
    int waiting() {
        return waiting;
    }

    boolean isLeft() {
        return used.get() < commonBytes;
    }

    boolean isFullOfOutput() {
        return output.get() >= commonBytes;
    }

    void pressed() {
        hears.pressed();
    }

    // Taking and giving back.

    /** Takes as many as are left, up to those that are wanted. */
    int takeUpTo(int wanted) {
        for (; ; ) {
            long before = used.get();
            int taken = (int) Math.min(wanted, commonBytes - before);
            if (taken <= 0) {
                return 0;
            }
            if (used.compareAndSet(before, before + taken)) {
                return taken;
            }
        }
    }

    /** Takes them, whatever is left. */
    void take(long bytes) {
        used.addAndGet(bytes);
    }

    void giveBack(long bytes) {
        used.addAndGet(-bytes);
        if (waiting > 0) {
            serve();
        }
    }

    /** @return false: nothing is left, and nothing is taken */
    boolean takeForOutput(long bytes, boolean always) {
        long before;
        do {
            before = used.get();
            if (!always && before >= commonBytes) {
                return false;
            }
        } while (!used.compareAndSet(before, before + bytes));
        output.addAndGet(bytes);
        return true;
    }

    void giveBackOutput(long bytes) {
        long after = output.addAndGet(-bytes);
        giveBack(bytes);
        if (after < commonBytes && after + bytes >= commonBytes) {
            hears.outputFell();
        }
    }

    // The line.

    /** Puts it where it belongs by how long it has waited. It is called when it is its turn. */
    void join(Share share) {
        lock.lock();
        try {
            if (share.ticket == 0) {
                share.ticket = ++lastTicket;
            }
            line.put(share.ticket, share);
            waiting = line.size();
        } finally {
            lock.unlock();
        }
        hears.pressed();
        // What came free in between has told nobody.
        serve();
    }

    /** It waits no more, and is not exempt. */
    void leave(Share share) {
        boolean wasExempt;
        lock.lock();
        try {
            line.remove(share.ticket, share);
            waiting = line.size();
            wasExempt = exempt == share;
            if (wasExempt) {
                exempt = null;
            }
        } finally {
            lock.unlock();
        }
        if (wasExempt) {
            serve();
        }
    }

    boolean isExempt(Share share) {
        return exempt == share;
    }

    /** Calls those whose turn it is. */
    void serve() {
        List<Share> next = new ArrayList<>();
        boolean isMoreLeft;
        lock.lock();
        try {
            long left = commonBytes - used.get();
            // As many as may read at once. Some of them may find that their peers have sent no more.
            for (long turns = left > 0 ? 1 + left / READ_BYTES : 0; turns > 0 && !line.isEmpty(); turns--) {
                next.add(line.pollFirstEntry().getValue());
            }
            if (left <= 0 && exempt == null && !line.isEmpty()) {
                exempt = line.pollFirstEntry().getValue();
                next.add(exempt);
            }
            waiting = line.size();
            isMoreLeft = left > 0 && waiting > 0;
        } finally {
            lock.unlock();
        }
        next.forEach(Share::call);
        if (isMoreLeft) {
            hears.serveSoon();
        }
    }
}
