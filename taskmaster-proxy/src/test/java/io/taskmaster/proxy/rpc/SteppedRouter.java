package io.taskmaster.proxy.rpc;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Watch;
import io.taskmaster.command.Ranking;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Leased;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.command.Reply.Watched;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Partitions;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.proxy.route.Router;
import io.taskmaster.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A fake router whose partitions take only the steps that a test asks for. Each decides what was submitted to it in
 * order, answers in the order of its decisions, keeps watches, and can break down. All tasks are in one queue. It is
 * the clock, too. Single-threaded.
 */
public final class SteppedRouter implements Router, Clock {

    public static final QueueKey QUEUE = QueueKey.of("q");

    /** A lease that was submitted to a partition. Immutable. */
    public record Asked(int partition, Lease lease) {}

    /** A task that a partition leased to a worker. Immutable. */
    record Granted(String worker, LeasedTask task) {}

    private record Submission(Lease lease, boolean watches, ReplySink sink) {}

    private record Answer(Submission submission, Reply reply) {}

    private static final class Slice {

        final ArrayDeque<Runnable> mailbox = new ArrayDeque<>();
        final ArrayDeque<Submission> undecided = new ArrayDeque<>();
        final ArrayDeque<Answer> undurable = new ArrayDeque<>();
        final ArrayDeque<LeasedTask> available = new ArrayDeque<>();

        /** The watches, with the times at which they end, in milliseconds. */
        final Map<Submission, Long> watches = new LinkedHashMap<>();
    }

    public final List<Asked> asked = new ArrayList<>();
    public final List<Granted> granted = new ArrayList<>();

    /** Tasks that were granted by a partition that broke down before the lease was durable. */
    public final Set<LeasedTask> lost = new HashSet<>();

    /** Partitions that refuse at once whatever is submitted to them. */
    public final Set<Integer> refusing = new HashSet<>();

    /** The number of cancelled watches. */
    public int cancels;

    private final List<Slice> slices;
    private final List<Submission> open = new ArrayList<>();
    private int tasks;
    private long nanos = -5_000_000_000L;

    public SteppedRouter(int partitions) {
        slices = IntStream.range(0, partitions).mapToObj(_ -> new Slice()).toList();
    }

    // ---------------------------------------------------------------- submissions

    @Override
    public int partitions() {
        return slices.size();
    }

    @Override
    public void submit(GroupName group, Command command, ReplySink sink) {
        submit(Partitions.partitionOf(group, slices.size()), command, sink);
    }

    @Override
    public void submit(int partition, Command command, ReplySink sink) {
        Submission submission = switch (command) {
            case Lease lease -> new Submission(lease, false, sink);
            case Watch watch -> new Submission(watch.lease(), true, sink);
            default -> throw new AssertionError("command: " + command + " (expected: a lease or a watch)");
        };
        if (!submission.watches) {
            asked.add(new Asked(partition, submission.lease));
        }
        if (refusing.contains(partition)) {
            sink.fail(new TaskMasterException(ErrorCode.SHUTTING_DOWN, "partition " + partition));
            return;
        }
        open.add(submission);
        Slice slice = slices.get(partition);
        slice.undecided.add(submission);
        slice.mailbox.add(() -> decide(slice, submission));
    }

    @Override
    public CompletableFuture<Optional<Ranking.Page>> rank(int partition, Ranking.Question question) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletableFuture<Integer> uncleared(GroupName group, Collection<QueueKey> queues) {
        return CompletableFuture.completedFuture(0);
    }

    @Override
    public long wallMillis() {
        return nanos();
    }

    @Override
    public long nanos() {
        return nanos;
    }

    // ---------------------------------------------------------------- steps

    /** Makes a task available, which wakes the watches. */
    public LeasedTask enqueue(int partition, int dataBytes) {
        var payload = new Payload(Bytes.wrap(new byte[dataBytes]), Map.of());
        var task = new LeasedTask(QUEUE, Pid.of("task " + tasks++), payload, 1, 1, 1, 1);
        Slice slice = slices.get(partition);
        slice.available.add(task);
        wake(slice);
        return task;
    }

    /** Removes all available tasks, as leases of other callers would. */
    public void take(int partition) {
        slices.get(partition).available.clear();
    }

    /** Wakes the watches; those without a task go on. */
    public void wake(int partition) {
        wake(slices.get(partition));
    }

    private void wake(Slice slice) {
        List<Submission> woken = List.copyOf(slice.watches.keySet());
        slice.watches.clear();
        woken.forEach(watch -> decide(slice, watch));
    }

    /**
     * Decides the next command.
     *
     * @return false if there is none
     */
    public boolean decide(int partition) {
        Runnable next = slices.get(partition).mailbox.poll();
        if (next != null) {
            next.run();
        }
        return next != null;
    }

    private void decide(Slice slice, Submission submission) {
        if (!slice.undecided.remove(submission) && !submission.watches) {
            return; // it broke down in the meantime
        }
        if (submission.sink.isCancelled()) {
            slice.undurable.add(
                    new Answer(submission, submission.watches ? new Watched(false) : new Leased(List.of())));
        } else if (!submission.watches) {
            Reply reply = new Leased(lease(slice, submission.lease));
            submission.sink.decided(reply);
            slice.undurable.add(new Answer(submission, reply));
        } else if (!slice.available.isEmpty()) {
            slice.undurable.add(new Answer(submission, new Watched(true)));
        } else if (open.contains(submission)) {
            slice.watches.put(submission, millis() + submission.lease.waitMillis());
            submission.sink.waits(() -> slice.mailbox.add(() -> cancel(slice, submission)));
        }
    }

    private List<LeasedTask> lease(Slice slice, Lease lease) {
        List<LeasedTask> leased = new ArrayList<>();
        long bytes = 0;
        for (LeasedTask next = slice.available.peek(); next != null; next = slice.available.peek()) {
            bytes += next.replyBytes();
            boolean first = leased.isEmpty() && lease.atLeastOne();
            if (leased.size() == lease.maxTasks() || (bytes > lease.maxBytes() && !first)) {
                break;
            }
            leased.add(slice.available.remove());
            granted.add(new Granted(lease.worker(), next));
        }
        return leased;
    }

    private void cancel(Slice slice, Submission watch) {
        cancels++;
        if (slice.watches.remove(watch) != null) {
            slice.undurable.add(new Answer(watch, new Watched(false)));
        }
    }

    /**
     * Makes the oldest decision durable, and answers it.
     *
     * @return false if there is none
     */
    public boolean commit(int partition) {
        Answer oldest = slices.get(partition).undurable.poll();
        if (oldest != null) {
            open.remove(oldest.submission);
            oldest.submission.sink.reply(oldest.reply);
        }
        return oldest != null;
    }

    /** Ends the epoch of a partition: every unanswered submission fails. */
    public void breakDown(int partition) {
        Slice slice = slices.get(partition);
        List<Submission> failed = new ArrayList<>();
        for (Answer answer : slice.undurable) {
            failed.add(answer.submission);
            if (answer.reply instanceof Leased leased) {
                lost.addAll(leased.tasks());
            }
        }
        failed.addAll(slice.watches.keySet());
        failed.addAll(slice.undecided);
        slice.undurable.clear();
        slice.watches.clear();
        slice.undecided.clear();
        slice.mailbox.clear();
        open.removeAll(failed);
        for (Submission submission : failed) {
            submission.sink.fail(new TaskMasterException(ErrorCode.PARTITION_OPENING, "partition " + partition));
        }
    }

    /** Lets time pass, which ends watches. */
    public void pass(long millis) {
        nanos += millis * 1_000_000;
        for (Slice slice : slices) {
            slice.watches.entrySet().removeIf(watch -> {
                boolean over = watch.getValue() <= millis();
                if (over) {
                    slice.undurable.add(new Answer(watch.getKey(), new Watched(false)));
                }
                return over;
            });
        }
    }

    /** Takes steps until only time or tasks could cause another. */
    public void run() {
        boolean progress = true;
        while (progress) {
            progress = false;
            for (int partition = 0; partition < slices.size(); partition++) {
                progress |= decide(partition);
                progress |= commit(partition);
            }
        }
    }

    // ---------------------------------------------------------------- observations

    private long millis() {
        return Math.floorDiv(nanos, 1_000_000L);
    }

    public List<Integer> askedPartitions() {
        return asked.stream().map(Asked::partition).toList();
    }

    /** The number of watches that wait. */
    public int watches() {
        return slices.stream().mapToInt(slice -> slice.watches.size()).sum();
    }

    /** The durations of the watches, each once. */
    public Set<Long> watchMillis() {
        Set<Long> lengths = new HashSet<>();
        slices.forEach(slice -> slice.watches.keySet().forEach(watch -> lengths.add(watch.lease.waitMillis())));
        return lengths;
    }

    /** The number of leases of a worker that are neither decided nor failed. */
    public long undecidedLeases(String worker) {
        return slices.stream()
                .flatMap(slice -> slice.undecided.stream())
                .filter(submission ->
                        !submission.watches && submission.lease.worker().equals(worker))
                .count();
    }

    /** The number of commands of a worker without an answer. */
    public long unanswered(String worker) {
        return open.stream()
                .filter(submission -> submission.lease.worker().equals(worker))
                .count();
    }

    /** Returns the tasks that partitions granted to a worker, whether it has received them or not. */
    public List<LeasedTask> grantedTo(String worker) {
        return granted.stream()
                .filter(grant -> grant.worker.equals(worker))
                .map(Granted::task)
                .toList();
    }

    public boolean hasAvailable() {
        return slices.stream().anyMatch(slice -> !slice.available.isEmpty());
    }
}
