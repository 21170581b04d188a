package io.taskmaster.testkit.oracle.model;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.model.Effect.Granted;
import io.taskmaster.testkit.oracle.model.Effect.Result;
import io.taskmaster.testkit.oracle.model.Effect.SeenThere;
import io.taskmaster.testkit.oracle.model.Effect.Updated;
import io.taskmaster.testkit.oracle.model.Element.Dequeuing;
import io.taskmaster.testkit.oracle.model.Element.Enqueuing;
import io.taskmaster.testkit.oracle.model.Element.Releasing;
import io.taskmaster.testkit.oracle.model.Element.Renewal;
import io.taskmaster.testkit.oracle.model.Projection.Atomic;
import io.taskmaster.testkit.oracle.model.Projection.Part;
import io.taskmaster.testkit.oracle.model.QueueHistory.Unassigned;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Describing;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Leasing;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Peeking;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Updating;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.LeaseSample;
import io.taskmaster.v1.LeasedTask;
import io.taskmaster.v1.PeekedTask;
import io.taskmaster.v1.QueueDescription;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.Status;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The builder of the {@link Projection}: each operation becomes one on every task that it names, shows, or proves
 * absent.
 *
 * <p>Steps, in this order, since each relies on the ones before:
 *
 * <ol>
 *   <li>updates, grants, peeks and samples are added to the tasks that they name or show;
 *   <li>enqueues of unknown outcome, whose assigned PID no client knows, are matched with tasks by their data;
 *   <li>leases and deletions are added to the queues that their selectors choose, and matched enqueues to their
 *       updates;
 *   <li>peeks, and the drain, are added to the tasks that they prove absent ({@link Absences});
 *   <li>deletions are added to the tasks of their queues.
 * </ol>
 *
 * <p>Matching by data is exact only if the workload makes all data different. If several enqueues of unknown outcome
 * may be the task that was seen, each of them may: the task is marked as guessed, and the oracle says less of it.
 * Single-threaded.
 */
public final class Projector {

    private static final long DEFAULT_LEASE_MICROS = 60_000_000;

    /** The first byte of every PID that a server assigns; no text begins with it. */
    private static final byte ASSIGNED_PID_TAG = (byte) 0x80;

    private final Operations operations;
    private final Projection projection = new Projection();

    /** Tasks in which an enqueue of unknown PID may have been seen. */
    private final IdentityHashMap<Unassigned, List<Part>> candidateParts = new IdentityHashMap<>();

    /** Updates of unknown outcome, compared by identity. */
    private final IdentityHashMap<Updating, Atomic> unknownAtomics = new IdentityHashMap<>();

    private Projector(Operations operations) {
        this.operations = operations;
    }

    public static Projection project(Operations operations, boolean endsWithDrain) {
        Projector projector = new Projector(operations);
        operations.updates.forEach(projector::update);
        operations.leases.forEach(projector::grants);
        operations.peeks.forEach(projector::peek);
        operations.descriptions.forEach(projector::samples);
        operations.configurations.forEach(configure -> projector
                .projection
                .queue(new QueueId(
                        configure.request().getGroup(), configure.request().getQueue()))
                .configurations
                .add(configure));
        projector.projection.keys.values().forEach(projector::assignCandidates);
        projector.choose();
        Absences.project(operations, projector.projection, endsWithDrain);
        projector.deletes();
        projector.projection.keys.values().forEach(KeyHistory::sort);
        operations.unclearQueues.forEach(queue -> projector.projection.queue(queue).unclear = true);
        return projector.projection;
    }

    private void update(Updating update) {
        UpdateRequest request = update.request();
        UpdateReply reply = update.reply();
        Map<TaskKey, List<Element>> elements = new LinkedHashMap<>(4);
        for (int i = 0; i < request.getRenewCount(); i++) {
            Renew renew = request.getRenew(i);
            Status status = reply == null ? null : reply.getRenewStatus(i);
            long micros = renew.hasLease() ? Micros.of(renew.getLease()) : DEFAULT_LEASE_MICROS;
            add(
                    elements,
                    key(request, renew.getQueue(), renew.getPid()),
                    new Renewal(renew.getLeaseId(), micros, status));
        }
        for (int i = 0; i < request.getReleaseCount(); i++) {
            Release release = request.getRelease(i);
            Status status = reply == null ? null : reply.getReleaseStatus(i);
            long notBefore = release.hasNotBefore() ? Micros.of(release.getNotBefore()) : 0;
            add(
                    elements,
                    key(request, release.getQueue(), release.getPid()),
                    new Releasing(release.getLeaseId(), notBefore, release.getUntried(), status));
        }
        for (int i = 0; i < request.getDequeueCount(); i++) {
            Dequeue dequeue = request.getDequeue(i);
            Status status = reply == null ? null : reply.getDequeueStatus(i);
            add(
                    elements,
                    key(request, dequeue.getQueue(), dequeue.getPid()),
                    new Dequeuing(dequeue.getLeaseId(), status));
        }
        for (int i = 0; i < request.getEnqueueCount(); i++) {
            enqueue(update, i, elements);
        }
        put(update, elements);
    }

    private void enqueue(Updating update, int i, Map<TaskKey, List<Element>> elements) {
        Enqueue enqueue = update.request().getEnqueue(i);
        UpdateReply reply = update.reply();
        Status status = reply == null ? null : reply.getEnqueueStatus(i);
        int payload = projection.payloads.number(enqueue.getData(), enqueue.getHeadersMap());
        long notBefore = enqueue.hasNotBefore() ? Micros.of(enqueue.getNotBefore()) : 0;
        Enqueuing element = new Enqueuing(payload, notBefore, enqueue.hasPid() ? enqueue.getIfExists() : null, status);
        if (enqueue.hasPid() || (reply != null && reply.getSuccess())) {
            ByteString pid = reply != null && reply.getSuccess() ? reply.getAssignedPid(i) : enqueue.getPid();
            add(elements, key(update.request(), enqueue.getQueue(), pid), element);
        } else if (reply == null && update.appliesOnce()) {
            projection
                    .queue(new QueueId(update.request().getGroup(), enqueue.getQueue()))
                    .unassigned
                    .add(new Unassigned(update, element));
        }
    }

    private void put(Updating update, Map<TaskKey, List<Element>> elements) {
        UpdateReply reply = update.reply();
        // RequestIdPass adds such a call a second time for its renewals alone, since another call with its request id
        // may have taken effect instead.
        Result result = reply == null
                ? update.appliesOnce() ? Result.UNKNOWN : Result.AT_MOST_RENEWED
                : reply.getSuccess() ? Result.SUCCESS : Result.REFUSED;
        List<Part> parts = new ArrayList<>(elements.size());
        elements.forEach((key, list) -> {
            KeyHistory history = projection.key(key);
            KeyOperation operation = new KeyOperation(update.span(), new Updated(list, result), update);
            history.add(operation);
            parts.add(new Part(history, operation));
        });
        // An update of unknown outcome with an enqueue is kept even if it has a single part: matched enqueues are
        // attached later.
        boolean several = parts.size() > 1 || (reply == null && update.request().getEnqueueCount() > 0);
        if (several && (result == Result.UNKNOWN || result == Result.SUCCESS)) {
            Atomic atomic = new Atomic(update, parts, new ArrayList<>(0));
            projection.atomics.add(atomic);
            if (result == Result.UNKNOWN) {
                unknownAtomics.put(update, atomic);
            }
        }
    }

    private static void add(Map<TaskKey, List<Element>> elements, TaskKey key, Element element) {
        elements.computeIfAbsent(key, any -> new ArrayList<>(1)).add(element);
    }

    private static TaskKey key(UpdateRequest request, ByteString queue, ByteString pid) {
        return new TaskKey(new QueueId(request.getGroup(), queue), pid);
    }

    private void grants(Leasing lease) {
        if (lease.reply() == null) {
            return;
        }
        for (LeasedTask task : lease.reply().getTasksList()) {
            Granted granted = new Granted(
                    task.getLeaseId(),
                    Micros.of(task.getLeaseExpires()),
                    task.getAttempt(),
                    projection.payloads.number(task.getData(), task.getHeadersMap()));
            add(new TaskKey(new QueueId(task.getGroup(), task.getQueue()), task.getPid()), granted, lease);
        }
    }

    private void peek(Peeking peek) {
        QueueId queue = new QueueId(peek.request().getGroup(), peek.request().getQueue());
        for (PeekedTask task : peek.reply().getTasksList()) {
            int payload = peek.request().getWithData()
                    ? projection.payloads.number(task.getData(), task.getHeadersMap())
                    : Payloads.NOT_SHOWN;
            SeenThere observed = new SeenThere(task.getState(), payload, task.getAttempt(), Micros.of(task.getUntil()));
            add(new TaskKey(queue, task.getPid()), observed, peek);
        }
    }

    private void samples(Describing describe) {
        for (QueueDescription queue : describe.reply().getQueuesList()) {
            QueueId id = new QueueId(
                    queue.getSummary().getGroup(), queue.getSummary().getName());
            for (LeaseSample sample : queue.getLeasedSampleList()) {
                SeenThere observed = new SeenThere(
                        PeekedTask.State.LEASED,
                        Payloads.NOT_SHOWN,
                        sample.getAttempt(),
                        Micros.of(sample.getLeaseExpires()));
                add(new TaskKey(id, sample.getPid()), observed, describe);
            }
        }
    }

    private void add(TaskKey key, Effect effect, RecordedOperation source) {
        projection.key(key).add(new KeyOperation(source.span(), effect, source));
    }

    /**
     * Adds the enqueues of unknown outcome that may have been assigned this PID: those whose data were seen here, or
     * any of them if no operation showed the data of the assigned task.
     */
    private void assignCandidates(KeyHistory key) {
        List<Unassigned> unassigned = projection.queue(key.key().queue()).unassigned;
        if (unassigned.isEmpty() || isAssignedForCertain(key)) {
            return;
        }
        List<Unassigned> matching = unassigned.stream()
                .filter(one -> key.operations().stream()
                        .anyMatch(operation -> !(operation.effect() instanceof Updated)
                                && payloadOf(operation) == one.element().payload()))
                .toList();
        if (matching.isEmpty()
                && isEnqueuedHere(key)
                && !isOfAssignedForm(key.key().pid())) {
            return;
        }
        List<Unassigned> candidates = matching.isEmpty() ? unassigned : matching;
        for (Unassigned candidate : candidates) {
            Updated effect = new Updated(Collections.singletonList(candidate.element()), Result.UNKNOWN);
            KeyOperation operation = new KeyOperation(candidate.update().span(), effect, candidate.update());
            key.add(operation);
            candidateParts.computeIfAbsent(candidate, any -> new ArrayList<>(1)).add(new Part(key, operation));
        }
        // If a single enqueue has the data that were seen, the match is beyond doubt, provided that all data differ.
        key.isGuessed = matching.size() != 1;
    }

    /**
     * Returns whether the server may have assigned the PID. Clients may also enqueue with such a PID; a PID of another
     * form was never assigned.
     */
    private static boolean isOfAssignedForm(ByteString pid) {
        return !pid.isEmpty() && pid.byteAt(0) == ASSIGNED_PID_TAG;
    }

    private static boolean isEnqueuedHere(KeyHistory key) {
        return key.operations().stream()
                .anyMatch(operation -> operation.effect() instanceof Updated updated
                        && updated.elements().stream().anyMatch(Enqueuing.class::isInstance));
    }

    /** Returns whether a reply reported that this PID was assigned: then no other enqueue ever was assigned it. */
    private static boolean isAssignedForCertain(KeyHistory key) {
        return key.operations().stream()
                .anyMatch(operation -> operation.effect() instanceof Updated updated
                        && updated.result() == Result.SUCCESS
                        && updated.elements().stream()
                                .anyMatch(element ->
                                        element instanceof Enqueuing enqueuing && enqueuing.ifExists() == null));
    }

    /** Returns the number of the payload that an operation brings or shows; negative if it does neither. */
    private static int payloadOf(KeyOperation operation) {
        return switch (operation.effect()) {
            case Granted granted -> granted.payload();
            case SeenThere seen -> seen.payload();
            case Updated updated -> {
                for (Element element : updated.elements()) {
                    if (element instanceof Enqueuing enqueuing) {
                        yield enqueuing.payload();
                    }
                }
                yield Payloads.NOT_SHOWN;
            }
            case Effect.SeenAbsent absent -> Payloads.NOT_SHOWN;
            case Effect.Deleted deleted -> Payloads.NOT_SHOWN;
        };
    }

    private void choose() {
        for (Leasing lease : operations.leases) {
            for (QueueHistory queue : projection.chosen(lease.request().getQueues())) {
                (lease.reply() == null ? queue.unknownLeases : queue.leases).add(lease);
            }
        }
        for (RecordedOperation.Deleting delete : operations.deletes) {
            projection.chosen(delete.request().getQueues()).forEach(queue -> queue.deletes.add(delete));
        }
        for (QueueHistory queue : projection.queues.values()) {
            queue.unassigned.forEach(this::attach);
        }
    }

    /** Makes an enqueue that was matched beyond doubt a part of its update. */
    private void attach(Unassigned enqueue) {
        Atomic atomic = unknownAtomics.get(enqueue.update());
        if (atomic == null) {
            return;
        }
        List<Part> parts = candidateParts.getOrDefault(enqueue, List.of());
        if (parts.isEmpty()) {
            atomic.unseen().add(enqueue);
        } else if (parts.size() == 1 && !parts.getFirst().key().isGuessed) {
            atomic.parts().add(parts.getFirst());
        }
    }

    /**
     * Adds to each task the deletions of its queue up to the first one after its last operation: that one ends the
     * certain facts about the task.
     */
    private void deletes() {
        for (QueueHistory queue : projection.queues.values()) {
            queue.deletes.sort(Comparator.comparingLong(delete -> delete.span().from()));
            for (KeyHistory key : queue.keys) {
                long first = firstInvoked(key);
                long last = lastCompleted(key);
                for (RecordedOperation.Deleting delete : queue.deletes) {
                    if (first <= delete.span().until()) {
                        key.add(new KeyOperation(delete.span(), new Effect.Deleted(), delete));
                    }
                    if (delete.span().from() > last) {
                        break;
                    }
                }
            }
        }
    }

    private static long firstInvoked(KeyHistory key) {
        return key.operations().stream()
                .mapToLong(operation -> operation.span().from())
                .min()
                .orElse(Span.FAR);
    }

    private static long lastCompleted(KeyHistory key) {
        return key.operations().stream()
                .map(KeyOperation::span)
                .mapToLong(span -> span.isUnknown() ? span.from() : span.until())
                .max()
                .orElse(Long.MIN_VALUE);
    }
}
