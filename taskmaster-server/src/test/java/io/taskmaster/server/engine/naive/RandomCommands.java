package io.taskmaster.server.engine.naive;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A source of random commands over so few queues and PIDs that they collide all the time. It knows what a client could
 * know: the leases it was granted and the PIDs it has seen. Every payload is different. Single-threaded.
 */
public final class RandomCommands {

    private static final int REMEMBERED = 12;

    /**
     * The first of the lease ids that are made up. No smaller ones are: they might be those of a lease whose reply was
     * lost.
     */
    private static final long NEVER_GRANTED = 1L << 40;

    private static final List<Command.IfExists> IF_EXISTS = List.of(Command.IfExists.values());

    private final RandomGenerator random;
    private final LongSupplier nowMillis;
    private final List<QueueKey> queues;
    private final List<Pid> pids;
    private final int maxDataBytes;
    private final int deletes;

    /** The percentage of updates that enqueue or dequeue the same single task again and again. */
    private final int toAndFro;

    /**
     * The number of tasks that are still to be enqueued behind those that the other commands are about, so that they
     * are more than memory holds.
     */
    private int backlog;

    /** The PID of the task that comes and goes, in front of them or among them. */
    private final Pid restless;

    private final List<LeasedTask> leases = new ArrayList<>();
    private final List<Pid> assigned = new ArrayList<>();
    private final List<Command.Update> named = new ArrayList<>();
    private int payloads;

    /** @param nowMillis about what the clock of the partition's owner shows */
    public RandomCommands(RandomGenerator random, LongSupplier nowMillis) {
        this.random = random;
        this.nowMillis = nowMillis;
        this.queues = Stream.of("q", "r", "s")
                .limit(1 + random.nextInt(3))
                .map(name -> new QueueKey(GroupName.of("g"), QueueName.of(name)))
                .toList();
        this.pids = Stream.of("a", "b", "c", "d", "e", "f", "h", "i", "k", "m", "p", "t", "x", "")
                .limit(2 + random.nextInt(13))
                .map(Pid::of)
                .toList();
        this.maxDataBytes = random.nextBoolean() ? 30 : 600;
        this.deletes = random.nextInt(4);
        this.toAndFro = random.nextInt(3) == 0 ? 60 : 0;
        this.backlog = random.nextInt(3) == 0 ? random.nextInt(10, 60) : 0;
        this.restless = random.nextBoolean() ? pids.getFirst() : Pid.of("y30a");
    }

    /** The queues that the commands are about, all in one group. */
    public List<QueueKey> queues() {
        return queues;
    }

    public Command next() {
        if (backlog > 0 && random.nextInt(4) == 0) {
            return enqueueBacklog();
        }
        int choice = random.nextInt(100);
        if (choice < 52) {
            return update();
        }
        if (choice < 80) {
            return lease();
        }
        if (choice < 85) {
            return new Command.ListQueues(
                    selector(), random.nextInt(3), random.nextInt(2), 1 + random.nextInt(3), maybe(.2, this::queue));
        }
        if (choice < 90) {
            return new Command.Describe(selector(), random.nextInt(3), 1 + random.nextInt(3));
        }
        if (choice < 100 - deletes) {
            return new Command.Peek(
                    queue(),
                    random.nextBoolean() ? Pid.EMPTY : pid(),
                    1 + random.nextInt(20),
                    1 + random.nextInt(500),
                    random.nextBoolean());
        }
        return random.nextBoolean()
                ? new Command.Delete(Selector.of(queue()))
                : new Command.Configure(
                        queue(), new QueueOptions(random.nextInt(3) == 0, random.nextInt(3), random.nextInt(4)));
    }

    /** Notes what a client learns from an answer. */
    public void observe(Reply reply) {
        switch (reply) {
            case Reply.Leased leased -> leases.addAll(leased.tasks());
            case Reply.Updated updated -> {
                updated.assignedPids().stream().filter(pid -> pid.size() > 1).forEach(assigned::add);
            }
            case Reply.Peeked peeked -> {
                peeked.tasks().stream()
                        .map(Reply.PeekedTask::pid)
                        .filter(pid -> pid.size() > 1)
                        .forEach(assigned::add);
            }
            default -> {}
        }
        forgetOldest(leases);
        forgetOldest(assigned);
    }

    private static void forgetOldest(List<?> list) {
        list.subList(0, Math.max(0, list.size() - REMEMBERED)).clear();
    }

    private Command update() {
        if (!named.isEmpty() && random.nextInt(8) == 0) {
            return named.get(random.nextInt(named.size()));
        }
        if (random.nextInt(100) < toAndFro) {
            return toOrFro();
        }
        List<Command.Enqueue> enqueues = new ArrayList<>();
        List<Command.Dequeue> dequeues = new ArrayList<>();
        List<Command.Renew> renewals = new ArrayList<>();
        List<Command.Release> releases = new ArrayList<>();
        int elements = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(5);
        for (int i = 0; i < elements; i++) {
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> enqueues.add(enqueue());
                case 4 -> dequeues.add(new Command.Dequeue(queue().name(), pid(), 0));
                case 5 ->
                    releases.add(withLease((queue, pid, id) -> new Command.Release(
                            queue, pid, random.nextInt(8) == 0 ? 0 : id, notBefore(3), random.nextInt(3) == 0)));
                case 6, 7 ->
                    renewals.add(withLease((queue, pid, id) -> new Command.Renew(queue, pid, id, leaseMillis())));
                default -> dequeues.add(withLease(Command.Dequeue::new));
            }
        }
        Command.Update update = new Command.Update(
                queues.getFirst().group(), enqueues, dequeues, renewals, releases, maybe(.3, this::requestId));
        if (update.requestId().isPresent()) {
            named.add(update);
        }
        forgetOldest(named);
        return update;
    }

    private Command enqueueBacklog() {
        QueueKey queue = queues.getFirst();
        List<Command.Enqueue> enqueues = new ArrayList<>();
        for (int i = random.nextInt(1, 20); i > 0 && backlog > 0; i--) {
            Pid pid = Pid.of("y" + backlog--);
            enqueues.add(new Command.Enqueue(queue.name(), Optional.of(pid), payload(), Command.IfExists.COLLAPSE, 0));
        }
        return new Command.Update(queue.group(), enqueues, List.of(), List.of(), List.of());
    }

    /** Enqueues or dequeues the same task, so that anything late is about one of its earlier lives. */
    private Command toOrFro() {
        QueueKey queue = queues.getFirst();
        return random.nextBoolean()
                ? new Command.Update(
                        queue.group(),
                        List.of(new Command.Enqueue(
                                queue.name(),
                                Optional.of(restless),
                                payload(),
                                Command.IfExists.REPLACE,
                                notBefore(12))),
                        List.of(),
                        List.of(),
                        List.of())
                : new Command.Update(
                        queue.group(),
                        List.of(),
                        List.of(new Command.Dequeue(queue.name(), restless, 0)),
                        List.of(),
                        List.of());
    }

    private Bytes requestId() {
        return Bytes.of("id " + ++payloads);
    }

    private Command.Enqueue enqueue() {
        Command.IfExists ifExists = IF_EXISTS.get(random.nextInt(IF_EXISTS.size()));
        return new Command.Enqueue(queue().name(), maybe(.7, this::pid), payload(), ifExists, notBefore(5));
    }

    /** Returns an instant once in this many calls, mostly one that is soon; else 0: at once. */
    private long notBefore(int oneIn) {
        if (random.nextInt(oneIn) != 0) {
            return 0;
        }
        return Math.max(0, nowMillis.getAsLong() + (random.nextInt(4) == 0 ? 5_000 : random.nextInt(300) - 30));
    }

    private Payload payload() {
        String data = "#" + ++payloads + ".".repeat(random.nextInt(maxDataBytes));
        return new Payload(Bytes.of(data), random.nextInt(5) == 0 ? Map.of("of", "" + payloads) : Map.of());
    }

    private Command lease() {
        return new Command.Lease(
                leaseSelector(),
                1 + random.nextInt(3),
                random.nextInt(4) == 0 ? 1 + random.nextInt(300) : 1 << 20,
                leaseMillis(),
                maybe(.2, this::pid),
                random.nextInt(3) == 0 ? 1 + random.nextInt(300) : 0,
                random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 0,
                "w" + random.nextInt(3),
                "here");
    }

    private long leaseMillis() {
        return random.nextInt(4) == 0 ? 10_000 : 1 + random.nextInt(200);
    }

    private Selector leaseSelector() {
        return random.nextInt(3) > 0
                ? Selector.of(queue())
                : new Selector(
                        Optional.of(queues.getFirst().group()),
                        random.nextBoolean() ? List.of(queue().name()) : List.of(),
                        Optional.of(NamePattern.compile(random.nextBoolean() ? ".*" : "[qr]")));
    }

    private Selector selector() {
        return random.nextBoolean()
                ? leaseSelector()
                : new Selector(maybe(.5, () -> queues.getFirst().group()), List.of(), Optional.empty());
    }

    private interface LeaseElement<T> {
        T of(QueueName queue, Pid pid, long leaseId);
    }

    /** Makes an element about a lease that was granted, mostly a fresh one. */
    private <T> T withLease(LeaseElement<T> element) {
        if (leases.isEmpty() || random.nextInt(12) == 0) {
            return element.of(queue().name(), pid(), NEVER_GRANTED + random.nextInt(20));
        }
        LeasedTask lease = leases.get(random.nextBoolean() ? leases.size() - 1 : random.nextInt(leases.size()));
        return element.of(lease.queue().name(), lease.pid(), lease.leaseId());
    }

    private QueueKey queue() {
        return queues.get(random.nextInt(queues.size()));
    }

    private Pid pid() {
        return !assigned.isEmpty() && random.nextInt(4) == 0
                ? assigned.get(random.nextInt(assigned.size()))
                : pids.get(random.nextInt(pids.size()));
    }

    private <T> Optional<T> maybe(double probability, Supplier<T> value) {
        return random.nextDouble() < probability ? Optional.of(value.get()) : Optional.empty();
    }
}
