package io.taskmaster.testkit.oracle.model;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Updating;
import io.taskmaster.testkit.oracle.verdict.Finding;
import io.taskmaster.testkit.oracle.verdict.Findings;
import io.taskmaster.testkit.oracle.verdict.OracleSettings;
import io.taskmaster.testkit.oracle.verdict.Promise;
import io.taskmaster.v1.Dequeue;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.Release;
import io.taskmaster.v1.Renew;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The combination of updates with one request id into a single update.
 *
 * <p>That update may be applied from the first invocation of a call that was not refused, and was applied by the first
 * reply that reports success. Every reply of success must be equal. Refusals are not remembered: each is an update of
 * its own, before that one; a refusal after the success is a finding.
 *
 * <p>Two effects remain beside it. A call of unknown outcome may have applied its renewals although another call with
 * its id took effect. After the dedup window the id is new again, so a call of unknown outcome may then be applied a
 * second time.
 *
 * <p>An id that was given to different requests, or was used again after the window, leaves open which request took
 * effect. The queues that these requests name are not judged. Single-threaded.
 */
final class RequestIdPass {

    /** A request id within its group. */
    private record Id(ByteString group, ByteString id) {}

    private final OracleSettings settings;
    private final Findings findings;
    private final Map<Id, List<Updating>> calls = new LinkedHashMap<>();

    RequestIdPass(OracleSettings settings, Findings findings) {
        this.settings = settings;
        this.findings = findings;
    }

    void add(Updating update) {
        UpdateRequest request = update.request();
        calls.computeIfAbsent(new Id(request.getGroup(), request.getRequestId()), id -> new ArrayList<>(1))
                .add(update);
    }

    void addTo(Operations operations) {
        for (List<Updating> same : calls.values()) {
            long first = Span.FAR;
            boolean equal = true;
            for (Updating call : same) {
                first = Math.min(first, call.span().from());
                equal &= call.request().equals(same.getFirst().request());
            }
            // Twice the slack: the servers' clock may be wrong in one direction when it remembers the id, and in the
            // other when it forgets it.
            long forgotten = first + settings.dedupWindowMicros() - 2 * settings.slackMicros();
            boolean inTime = true;
            for (Updating call : same) {
                inTime &= call.span().from() < forgotten;
            }
            boolean fit = true;
            for (Updating call : same) {
                fit &= fits(call);
                if (equal && !fits(call)) {
                    findings.add(Promise.ANSWERS_FIT, call.span().call(), "the reply does not match the request");
                }
            }
            if (equal && inTime && fit) {
                put(same, forgotten, operations);
            } else {
                same.forEach(call -> queues(call.request()).forEach(operations.unclearQueues::add));
            }
        }
    }

    private static boolean fits(Updating call) {
        return call.reply() == null || ReplyShape.fits(call.request(), call.reply());
    }

    private void put(List<Updating> same, long forgotten, Operations operations) {
        Updating success = null;
        long from = Span.FAR;
        long until = Span.FAR;
        for (Updating call : same) {
            UpdateReply reply = call.reply();
            if (reply != null && !reply.getSuccess()) {
                operations.updates.add(call);
                continue;
            }
            from = Math.min(from, call.span().from());
            if (reply != null) {
                until = Math.min(until, call.span().until());
                if (success == null) {
                    success = call;
                } else if (!reply.equals(success.reply())) {
                    findings.add(new Finding(
                            Promise.REQUEST_IDS_APPLY_ONCE,
                            "a repeated update got a different reply",
                            List.of(success.span().call(), call.span().call())));
                }
            }
        }
        if (from == Span.FAR) {
            return;
        }
        // The update took effect by the first reply that reports success, even for calls whose own reply came later.
        Updating one = success == null ? same.getFirst() : success;
        operations.updates.add(new Updating(
                new Span(one.span().call(), from, until), one.request(), success == null ? null : one.reply(), true));
        for (Updating call : same) {
            afterwards(call, until, forgotten, operations);
        }
    }

    /** Adds the effects that a call may have had although another call with its id took effect. */
    private void afterwards(Updating call, long applied, long forgotten, Operations operations) {
        UpdateReply reply = call.reply();
        long number = call.span().call();
        if (reply == null) {
            if (call.request().getRenewCount() > 0) {
                operations.updates.add(new Updating(call.span(), call.request(), null, false));
            }
            if (forgotten <= operations.endMicros) {
                operations.updates.add(new Updating(new Span(number, forgotten, Span.FAR), call.request(), null, true));
            }
        } else if (!reply.getSuccess() && call.span().from() > applied) {
            findings.add(
                    Promise.REQUEST_IDS_APPLY_ONCE,
                    number,
                    "an update that had succeeded was rejected when it was repeated");
        }
    }

    /** Returns the queues that a request names. */
    static Stream<QueueId> queues(UpdateRequest request) {
        return Stream.of(
                        request.getEnqueueList().stream().map(Enqueue::getQueue),
                        request.getDequeueList().stream().map(Dequeue::getQueue),
                        request.getRenewList().stream().map(Renew::getQueue),
                        request.getReleaseList().stream().map(Release::getQueue))
                .flatMap(names -> names)
                .distinct()
                .map(name -> new QueueId(request.getGroup(), name));
    }
}
