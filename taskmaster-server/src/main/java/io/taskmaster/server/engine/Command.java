package io.taskmaster.server.engine;

import com.google.common.base.Utf8;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.pattern.NamePattern;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What can be asked of a partition. Commands are validated before they get here: every limit holds and every field is served.
 * Immutable.
 */
public sealed interface Command {

    /**
     * Atomically enqueues, dequeues, renews and releases tasks of one group (paper section 3.4).
     *
     * @param requestId under which it is applied once; absent: every time
     */
    record Update(
            GroupName group,
            List<Enqueue> enqueues,
            List<Dequeue> dequeues,
            List<Renew> renewals,
            List<Release> releases,
            Optional<Bytes> requestId)
            implements Command {

        /** An update without an id. */
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
     * @param pid absent: FIFO, the engine assigns one
     * @param notBeforeMillis from when on it may be leased; not after now: at once
     */
    record Enqueue(QueueName queue, Optional<Pid> pid, Payload payload, IfExists ifExists, long notBeforeMillis) {}

    /** What an enqueue does when its (queue, PID) is there already. */
    enum IfExists {
        COLLAPSE,
        REPLACE,
        RERUN,
        FAIL
    }

    /**
     * @param leaseId the lease that must still be the newest; 0: unconditional
     */
    record Dequeue(QueueName queue, Pid pid, long leaseId) {}

    record Renew(QueueName queue, Pid pid, long leaseId, long leaseMillis) {}

    /**
     * @param leaseId the lease that must still be the newest; 0: whoever holds it
     * @param notBeforeMillis from when on it may be leased again; not after now: at once
     */
    record Release(QueueName queue, Pid pid, long leaseId, long notBeforeMillis, boolean untried) {}

    /**
     * Leases the first available tasks of the chosen queues.
     *
     * @param maxPid only tasks up to and including this PID
     * @param waitMillis how long to wait for a first task; 0: not at all
     * @param maxLeasedPerQueue no queue gets beyond so many leases that run; 0: no cap
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

        /** A lease that gets at least one task, if there is one, however large. */
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

        /** What is left of it when it has got so much: it does not wait for more. */
        Lease without(int tasks, long bytes) {
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
     * Waits until there is something to lease, without leasing it.
     *
     * @param lease what is to be leased, and how long to wait for it
     */
    record Watch(Lease lease) implements Command {}

    /**
     * Names of queues, in order.
     *
     * @param minTasks 0: also those without tasks that were told something
     * @param after only queues behind this one
     */
    record ListQueues(Selector selector, long minTasks, long minAvailable, int maxQueues, Optional<QueueKey> after)
            implements Command {}

    /**
     * @param leasedSample how many leased tasks to show per queue
     */
    record Describe(Selector selector, int leasedSample, int maxQueues) implements Command {}

    /**
     * Reads tasks in PID order without leasing them.
     *
     * @param from inclusive
     */
    record Peek(QueueKey queue, Pid from, int maxTasks, int maxBytes, boolean withData) implements Command {}

    /** Sets the options of a queue. */
    record Configure(QueueKey queue, QueueOptions options) implements Command {}

    /**
     * Starts a new generation of the chosen queues; of many, one after the other.
     *
     * @param after only queues behind this one; those before it are deleted already
     */
    record Delete(Selector selector, Optional<QueueKey> after) implements Command {

        /** Of all of them. */
        public Delete(Selector selector) {
            this(selector, Optional.empty());
        }
    }

    /**
     * Chooses queues by name, by pattern, or both. Neither: every queue.
     *
     * @param group the group to look in; empty: every group of the partition
     */
    record Selector(Optional<GroupName> group, List<QueueName> names, Optional<NamePattern> pattern) {

        public Selector {
            names = List.copyOf(names);
        }

        /** A selector of exactly one queue. */
        public static Selector of(QueueKey queue) {
            return new Selector(Optional.of(queue.group()), List.of(queue.name()), Optional.empty());
        }

        /** Whether it is one queue and can be no other. */
        public boolean isOneQueue() {
            return isByName() && names.size() == 1;
        }

        /** Whether it names its queues, and no pattern chooses others beside them. */
        public boolean isByName() {
            return group.isPresent() && !names.isEmpty() && pattern.isEmpty();
        }

        /** The named queues; none if the group is missing. */
        public List<QueueKey> keys() {
            return group.map(of -> names.stream()
                            .distinct()
                            .map(name -> new QueueKey(of, name))
                            .toList())
                    .orElse(List.of());
        }

        /** Whether it chooses a queue. */
        public boolean chooses(QueueKey queue) {
            return Choice.chooses(this, queue);
        }

        /** Whether neither names nor a pattern narrow the choice. */
        public boolean choosesAll() {
            return names.isEmpty() && pattern.isEmpty();
        }
    }

    /** What a task carries: data that nobody interprets, and headers. */
    record Payload(Bytes data, Map<String, String> headers) {

        public Payload {
            headers = headers.isEmpty() ? Map.of() : Map.copyOf(headers);
        }

        /** The size of data and headers, for budgets. */
        public int bytes() {
            int size = data.size();
            for (Map.Entry<String, String> header : headers.entrySet()) {
                size += HEADER_FRAME_BYTES
                        + Utf8.encodedLength(header.getKey())
                        + Utf8.encodedLength(header.getValue());
            }
            return size;
        }

        /** Of a header: tags and lengths. */
        private static final int HEADER_FRAME_BYTES = 8;
    }
}
