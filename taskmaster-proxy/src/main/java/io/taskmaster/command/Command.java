package io.taskmaster.command;

import com.google.common.base.Utf8;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A request to a partition. Commands are validated before they get here: every limit holds and every field is
 * supported. Immutable.
 */
public sealed interface Command {

    /**
     * An atomic set of enqueues, dequeues, renewals and releases of tasks of one group (paper section 3.4).
     *
     * @param requestId the id under which it is applied once; absent: every time
     */
    record Update(
            GroupName group,
            List<Enqueue> enqueues,
            List<Dequeue> dequeues,
            List<Renew> renewals,
            List<Release> releases,
            Optional<Bytes> requestId)
            implements Command {

        /** Makes an update without an id. */
        public Update(
                GroupName group,
                List<Enqueue> enqueues,
                List<Dequeue> dequeues,
                List<Renew> renewals,
                List<Release> releases) {
            this(group, enqueues, dequeues, renewals, releases, Optional.empty());
        }
    }

    /**
     * A new task.
     *
     * @param pid absent: FIFO, the engine assigns one
     * @param notBeforeMillis from when on it may be leased; not after now: at once
     */
    record Enqueue(QueueName queue, Optional<Pid> pid, Payload payload, IfExists ifExists, long notBeforeMillis) {}

    /** The behaviour of an enqueue whose (queue, PID) is there already. */
    enum IfExists {
        COLLAPSE,
        REPLACE,
        RERUN,
        FAIL
    }

    /**
     * The removal of a task.
     *
     * @param leaseId the lease that must still be the newest; 0: unconditional
     */
    record Dequeue(QueueName queue, Pid pid, long leaseId) {}

    record Renew(QueueName queue, Pid pid, long leaseId, long leaseMillis) {}

    /**
     * The end of a lease before it expires.
     *
     * @param leaseId the lease that must still be the newest; 0: any
     * @param notBeforeMillis from when on it may be leased again; not after now: at once
     * @param untried whether no handler has worked on the task, so that the attempt is taken back
     */
    record Release(QueueName queue, Pid pid, long leaseId, long notBeforeMillis, boolean untried) {}

    /**
     * A lease of the first available tasks of the chosen queues.
     *
     * @param maxPid only tasks up to and including this PID
     * @param waitMillis how long to wait for a first task; 0: not at all
     * @param maxLeasedPerQueue no queue gets beyond this number of running leases; 0: no cap
     * @param address where the request came from
     * @param atLeastOne whether the first task may be larger than {@code maxBytes}
     */
    record Lease(
            Selector selector,
            int maxTasks,
            int maxBytes,
            long leaseMillis,
            Optional<Pid> maxPid,
            long waitMillis,
            long maxLeasedPerQueue,
            String worker,
            String address,
            boolean atLeastOne)
            implements Command {

        /** Makes a lease that gets at least one task, if there is one, however large. */
        public Lease(
                Selector selector,
                int maxTasks,
                int maxBytes,
                long leaseMillis,
                Optional<Pid> maxPid,
                long waitMillis,
                long maxLeasedPerQueue,
                String worker,
                String address) {
            this(
                    selector,
                    maxTasks,
                    maxBytes,
                    leaseMillis,
                    maxPid,
                    waitMillis,
                    maxLeasedPerQueue,
                    worker,
                    address,
                    true);
        }

        /** Returns the rest of the lease after it has got this much. The rest does not wait for more. */
        public Lease without(int tasks, long bytes) {
            return new Lease(
                    selector,
                    maxTasks - tasks,
                    (int) Math.max(0, maxBytes - bytes),
                    leaseMillis,
                    maxPid,
                    0,
                    maxLeasedPerQueue,
                    worker,
                    address,
                    false);
        }
    }

    /**
     * A long poll without a lease: it waits until there is something to lease.
     *
     * @param lease the lease to be possible, and how long to wait for it
     */
    record Watch(Lease lease) implements Command {}

    /**
     * A listing of names of queues, in order.
     *
     * @param minTasks 0: also those without tasks that have options
     * @param after only queues behind this one
     */
    record ListQueues(Selector selector, long minTasks, long minAvailable, int maxQueues, Optional<QueueKey> after)
            implements Command {}

    /**
     * A description of queues with sizes, rates and leased tasks.
     *
     * @param leasedSample the number of leased tasks to show per queue
     */
    record Describe(Selector selector, int leasedSample, int maxQueues) implements Command {}

    /**
     * A read of tasks in PID order without leasing them.
     *
     * @param from inclusive
     */
    record Peek(QueueKey queue, Pid from, int maxTasks, int maxBytes, boolean withData) implements Command {}

    /** A change of the options of a queue. */
    record Configure(QueueKey queue, QueueOptions options) implements Command {}

    /**
     * The deletion of the chosen queues by a new generation of each; of many, one after the other.
     *
     * @param after only queues behind this one; those before it are deleted already
     */
    record Delete(Selector selector, Optional<QueueKey> after) implements Command {

        /** Makes a deletion of all of them. */
        public Delete(Selector selector) {
            this(selector, Optional.empty());
        }
    }

    /**
     * A choice of queues by name, by pattern, or both. Neither: every queue.
     *
     * @param group the group to look in; empty: every group of the partition
     */
    record Selector(Optional<GroupName> group, List<QueueName> names, Optional<NamePattern> pattern) {

        public Selector {
            names = List.copyOf(names);
        }

        /** Returns a selector of exactly one queue. */
        public static Selector of(QueueKey queue) {
            return new Selector(Optional.of(queue.group()), List.of(queue.name()), Optional.empty());
        }

        /** Returns whether it chooses a single queue by name and can choose no other. */
        public boolean isOneQueue() {
            return isByName() && names.size() == 1;
        }

        /** Returns whether it names its queues, and no pattern chooses others beside them. */
        public boolean isByName() {
            return group.isPresent() && !names.isEmpty() && pattern.isEmpty();
        }

        /** Returns the named queues; none if the group is missing. */
        public List<QueueKey> keys() {
            return group.map(of -> names.stream()
                            .distinct()
                            .map(name -> new QueueKey(of, name))
                            .toList())
                    .orElse(List.of());
        }

        /** Returns whether it chooses a queue. */
        public boolean chooses(QueueKey queue) {
            return (group.isEmpty() || group.get().equals(queue.group()))
                    && (choosesAll()
                            || names.contains(queue.name())
                            || (pattern.isPresent() && pattern.get().matches(queue.name())));
        }

        /** Returns whether neither names nor a pattern narrow the choice. */
        public boolean choosesAll() {
            return names.isEmpty() && pattern.isEmpty();
        }
    }

    /** The content of a task: opaque data, and headers. */
    record Payload(Bytes data, Map<String, String> headers) {

        public Payload {
            headers = headers.isEmpty() ? Map.of() : Map.copyOf(headers);
        }

        /** Returns the size of data and headers in bytes, for budgets. */
        public int bytes() {
            int size = data.size();
            for (Map.Entry<String, String> header : headers.entrySet()) {
                size += HEADER_FRAME_BYTES
                        + Utf8.encodedLength(header.getKey())
                        + Utf8.encodedLength(header.getValue());
            }
            return size;
        }

        /** The overhead of a header: tags and lengths. */
        private static final int HEADER_FRAME_BYTES = 8;
    }
}
