package io.taskmaster.server.engine.naive;

import com.google.re2j.Pattern;
import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Summary;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The naive model of a partition: all tasks on plain sorted maps, the meaning of {@link Command}s, and the
 * {@link Reply}s that are allowed. No windows, no rows, no atoms; written from the contract, independently of the
 * engine. Where the contract leaves a choice (which of several queues a lease serves, how much it takes at once, what
 * is sampled) every legal choice is accepted, so replies are checked rather than predicted.
 *
 * <p>{@link #check} takes the commands in the order in which they were decided, each with its reply, and throws
 * {@link Unexplained} at the first that cannot be. {@link #unanswered} lists the states that a command may have left
 * behind whose reply was lost. Value semantics, so that a judge can hold a set of these. Single-threaded.
 */
public final class NaiveQueues {

    /** The first byte of the PIDs that are assigned to tasks enqueued without one: so they sort behind ASCII text. */
    static final int ASSIGNED_TAG = 0x80;

    final SortedMap<QueueKey, SortedMap<Pid, NaiveTask>> queues;

    /** By queue: the largest PID with the tag that it has held since it was last empty. */
    final SortedMap<QueueKey, Pid> largestAssigned;

    /** By queue: the generation that a reply showed; forgotten when the queue becomes empty. */
    final SortedMap<QueueKey, Long> generations;

    /** By queue: its options. */
    final SortedMap<QueueKey, QueueOptions> options;

    /** By id: the last update with it that was applied. */
    final SortedMap<Bytes, Applied> applied;

    /** The duration for which an update with an id is remembered. */
    private final long windowMillis;

    /** The largest lease id that any reply has shown. */
    long largestLeaseId;

    /** An update with an id: when it was applied, and the reply to it. */
    record Applied(long millis, Reply.Updated reply) {}

    /** Makes a model that remembers request ids forever. */
    public NaiveQueues() {
        this(Long.MAX_VALUE / 2);
    }

    /** @param windowMillis how long an update with an id is remembered */
    public NaiveQueues(long windowMillis) {
        this(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), windowMillis, 0);
    }

    private NaiveQueues(
            SortedMap<QueueKey, SortedMap<Pid, NaiveTask>> queues,
            SortedMap<QueueKey, Pid> largestAssigned,
            SortedMap<QueueKey, Long> generations,
            SortedMap<QueueKey, QueueOptions> options,
            SortedMap<Bytes, Applied> applied,
            long windowMillis,
            long largestLeaseId) {
        this.queues = queues;
        this.largestAssigned = largestAssigned;
        this.generations = generations;
        this.options = options;
        this.applied = applied;
        this.windowMillis = windowMillis;
        this.largestLeaseId = largestLeaseId;
    }

    /** Returns a copy that shares nothing that changes. */
    public NaiveQueues copy() {
        SortedMap<QueueKey, SortedMap<Pid, NaiveTask>> copies = new TreeMap<>();
        queues.forEach((key, tasks) -> copies.put(key, new TreeMap<>(tasks)));
        return new NaiveQueues(
                copies,
                new TreeMap<>(largestAssigned),
                new TreeMap<>(generations),
                new TreeMap<>(options),
                new TreeMap<>(applied),
                windowMillis,
                largestLeaseId);
    }

    /**
     * Checks a reply and takes over what the command did. Where it throws, the model is left as it was.
     *
     * @throws Unexplained if the command cannot have this reply here and now
     */
    public void check(Command command, Reply reply, Moment moment) {
        switch (command) {
            case Command.Update update -> UpdateRules.check(this, update, as(Reply.Updated.class, reply), moment);
            case Command.Lease lease -> LeaseRules.check(this, lease, as(Reply.Leased.class, reply), moment);
            case Command.Configure configure -> {
                as(Reply.Configured.class, reply);
                configure(configure);
            }
            case Command.Delete delete ->
                ReadRules.checkDelete(this, delete, as(Reply.Deleted.class, reply), moment.nowMillis());
            case Command.Watch watch -> as(Reply.Watched.class, reply);
            case Command.ListQueues list ->
                ReadRules.checkList(this, list, as(Reply.Listed.class, reply), moment.nowMillis());
            case Command.Describe describe ->
                ReadRules.checkDescribe(this, describe, as(Reply.Described.class, reply), moment.nowMillis());
            case Command.Peek peek ->
                ReadRules.checkPeek(this, peek, as(Reply.Peeked.class, reply), moment.nowMillis());
        }
    }

    /**
     * Returns every state that the command may have left behind if it was decided now and its reply was lost.
     *
     * @param observed the PIDs under which a task that was enqueued without one may have been seen, by any client, at
     *     any time; empty stands for never
     */
    public List<NaiveQueues> unanswered(
            Command command, Moment moment, Function<Command.Enqueue, List<Optional<Pid>>> observed) {
        return switch (command) {
            case Command.Update update -> UpdateRules.unanswered(this, update, moment, observed);
            case Command.Lease lease -> LeaseRules.unanswered(this, lease, moment);
            case Command.Delete delete -> {
                NaiveQueues result = copy();
                chosen(delete.selector()).keySet().forEach(result::drop);
                yield List.of(result);
            }
            case Command.Configure configure -> {
                NaiveQueues configured = copy();
                configured.configure(configure);
                yield List.of(configured);
            }
            case Command.Watch watch -> List.of(copy());
            case Command.ListQueues list -> List.of(copy());
            case Command.Describe describe -> List.of(copy());
            case Command.Peek peek -> List.of(copy());
        };
    }

    /** Returns whether request ids expire within any realistic time. */
    public boolean forgets() {
        return windowMillis < 1L << 40;
    }

    /** Returns the reply to an update with an id that was applied so recently that it is not applied again. */
    Optional<Reply.Updated> remembered(Command.Update update, long nowMillis) {
        return update.requestId()
                .map(id -> applied.get(id))
                .filter(last -> last.millis() >= nowMillis - windowMillis)
                .map(Applied::reply);
    }

    /**
     * Returns every end of a lease, a delay or a window in {@code (after, until]}: instants at which the same command
     * may begin to mean something else.
     */
    public List<Long> instants(long after, long until) {
        Stream<Long> forgotten = applied.values().stream().map(last -> last.millis() + windowMillis + 1);
        Stream<Long> tasks = queues.values().stream()
                .flatMap(queue -> queue.values().stream())
                .flatMap(task -> Stream.concat(
                        task.lease().map(NaiveTask.NaiveLease::expiresMillis).stream(),
                        Stream.concat(Stream.of(task.brought()), task.rerun().stream())
                                .map(NaiveTask.Brought::notBeforeMillis)));
        return Stream.concat(forgotten, tasks)
                .filter(expiry -> after < expiry && expiry <= until)
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * Returns the states that are possible when the partition gets another owner. The end of a delay is written some
     * time after it has come. Under a clock that goes back, either may be the case.
     *
     * @param fromMillis the least that the clock of the new owner, or of a later one, shows
     * @param untilMillis the most that any clock has shown
     */
    public List<NaiveQueues> handedOver(long fromMillis, long untilMillis) {
        List<NaiveQueues> alternatives = List.of(copy());
        for (QueueKey queue : queues.keySet()) {
            for (Map.Entry<Pid, NaiveTask> task : tasks(queue).entrySet()) {
                long notBefore = task.getValue().brought().notBeforeMillis();
                if (notBefore != 0 && notBefore <= untilMillis) {
                    List<NaiveQueues> activated = new ArrayList<>();
                    for (NaiveQueues alternative : alternatives) {
                        NaiveQueues other = alternative.copy();
                        other.put(queue, task.getKey(), task.getValue().activated());
                        activated.add(other);
                    }
                    if (notBefore > fromMillis) {
                        activated.addAll(alternatives);
                    }
                    alternatives = activated;
                }
            }
        }
        return alternatives;
    }

    /** Returns the sizes of a queue, with time counted. */
    public Summary summary(QueueKey queue, long nowMillis) {
        Map<Pid, NaiveTask> tasks = tasks(queue);
        long leased =
                tasks.values().stream().filter(task -> task.isLeased(nowMillis)).count();
        long delayed = tasks.values().stream()
                .filter(task -> task.isDelayed(nowMillis))
                .count();
        return new Summary(queue, tasks.size() - leased - delayed, leased, delayed);
    }

    /** The number of tasks. */
    public long size() {
        return queues.values().stream().mapToLong(Map::size).sum();
    }

    void become(NaiveQueues other) {
        replace(queues, other.queues);
        replace(largestAssigned, other.largestAssigned);
        replace(generations, other.generations);
        replace(options, other.options);
        replace(applied, other.applied);
        largestLeaseId = other.largestLeaseId;
    }

    /** The tasks of a queue, to be read only. */
    SortedMap<Pid, NaiveTask> tasks(QueueKey queue) {
        return queues.getOrDefault(queue, new TreeMap<>());
    }

    void put(QueueKey queue, Pid pid, NaiveTask task) {
        queues.computeIfAbsent(queue, key -> new TreeMap<>()).put(pid, task);
        if (isAssignedForm(pid)) {
            largestAssigned.merge(queue, pid, (one, two) -> one.compareTo(two) > 0 ? one : two);
        }
    }

    void lease(QueueKey queue, Pid pid, NaiveTask.NaiveLease lease) {
        queues.getOrDefault(queue, new TreeMap<>()).computeIfPresent(pid, (key, task) -> task.leased(lease));
    }

    void remove(QueueKey queue, Pid pid) {
        SortedMap<Pid, NaiveTask> tasks = queues.get(queue);
        if (tasks != null) {
            tasks.remove(pid);
            if (tasks.isEmpty()) {
                drop(queue);
            }
        }
    }

    private void configure(Command.Configure configure) {
        QueueOptions newOptions = configure.options();
        int weight = newOptions.weight() > 0
                ? newOptions.weight()
                : options.getOrDefault(configure.queue(), QueueOptions.NONE).weight();
        options.put(configure.queue(), new QueueOptions(newOptions.paused(), newOptions.maxLeased(), weight));
        options.values().removeIf(QueueOptions.NONE::equals);
    }

    /** Returns the number of further leases that a queue may have. */
    int remainingLeases(QueueKey queue, long cap, long nowMillis) {
        QueueOptions newOptions = options.getOrDefault(queue, QueueOptions.NONE);
        if (newOptions.paused()) {
            return 0;
        }
        long leased = summary(queue, nowMillis).leased();
        return (int) Math.max(
                0,
                LongStream.of(cap, newOptions.maxLeased())
                        .filter(limit -> limit > 0)
                        .map(limit -> limit - leased)
                        .min()
                        .orElse(Integer.MAX_VALUE));
    }

    void drop(QueueKey queue) {
        queues.remove(queue);
        largestAssigned.remove(queue);
        generations.remove(queue);
    }

    /** Returns the queues that hold tasks and that a selector chooses, in order. */
    SortedMap<QueueKey, SortedMap<Pid, NaiveTask>> chosen(Selector selector) {
        SortedMap<QueueKey, SortedMap<Pid, NaiveTask>> chosen = new TreeMap<>(queues);
        chosen.keySet().removeIf(key -> !chooses(selector, key.group(), key.name()));
        return chosen;
    }

    /** Returns the queues that hold tasks or have options and that a selector chooses, in order. */
    SortedSet<QueueKey> shown(Selector selector) {
        SortedSet<QueueKey> shown = new TreeSet<>(options.keySet());
        shown.removeIf(key -> !chooses(selector, key.group(), key.name()));
        shown.addAll(chosen(selector).keySet());
        return shown;
    }

    /** Returns whether a PID has the form of assigned ones. */
    public static boolean isAssignedForm(Pid pid) {
        return !pid.isEmpty() && pid.at(0) == ASSIGNED_TAG;
    }

    private static boolean chooses(Selector selector, GroupName group, QueueName name) {
        return (selector.group().isEmpty() || selector.group().get().equals(group))
                && (selector.choosesAll()
                        || selector.names().contains(name)
                        || selector.pattern()
                                .filter(pattern -> Pattern.matches(pattern.toString(), name.toString()))
                                .isPresent());
    }

    private static <T extends Reply> T as(Class<T> kind, Reply reply) {
        Unexplained.unless(kind.isInstance(reply), "a reply of another kind: %s", reply);
        return kind.cast(reply);
    }

    private static <K, V> void replace(Map<K, V> map, Map<K, V> content) {
        map.clear();
        map.putAll(content);
    }

    /** Returns whether neither a command nor anything seen so far distinguishes the two. */
    @Override
    public boolean equals(Object other) {
        return other instanceof NaiveQueues that
                && queues.equals(that.queues)
                && largestAssigned.equals(that.largestAssigned)
                && generations.equals(that.generations)
                && options.equals(that.options)
                && applied.equals(that.applied)
                && largestLeaseId == that.largestLeaseId;
    }

    @Override
    public int hashCode() {
        return 31 * queues.hashCode() + applied.hashCode();
    }

    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        queues.forEach((key, tasks) -> tasks.forEach((pid, task) -> lines.add(key + " " + pid + ": " + task)));
        return lines.isEmpty() ? "nothing" : String.join("\n", lines);
    }
}
