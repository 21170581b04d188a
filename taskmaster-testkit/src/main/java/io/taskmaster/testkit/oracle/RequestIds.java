package io.taskmaster.testkit.oracle;

import com.google.protobuf.ByteString;
import io.taskmaster.testkit.oracle.Operation.Updating;
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
 * Updates with a request id. All calls with one id are one update: it may be applied from the first invocation of a call that was
 * not refused, and was applied by the time of the first answer that says so. Refusals are not remembered: each is an update
 * of its own, before that. After the window the id is new again: what is not known to have been done by then may be done once more.
 *
 * <p>An id that was given to different requests, or used again after the window, leaves open what was done; of the queues
 * that are named in it, nothing is said. Single-threaded.
 */
final class RequestIds {

    private record Id(ByteString group, ByteString id) {}

    private final OracleSettings settings;
    private final Findings findings;
    private final Map<Id, List<Updating>> calls = new LinkedHashMap<>();

    RequestIds(OracleSettings settings, Findings findings) {
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
            long forgotten = first + settings.dedupWindowMicros() - 2 * settings.slackMicros();
            boolean inTime = true;
            for (Updating call : same) {
                inTime &= call.span().from() < forgotten;
            }
            boolean fit = true;
            for (Updating call : same) {
                fit &= fits(call);
                if (equal && !fits(call)) {
                    findings.add(Promise.ANSWERS_FIT, call.span().call(), "the answer does not fit the request");
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
        return call.reply() == null || Shape.fits(call.request(), call.reply());
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
                            "an update was answered differently when it was repeated",
                            List.of(success.span().call(), call.span().call())));
                }
            }
        }
        if (from == Span.FAR) {
            return;
        }
        Updating one = success == null ? same.getFirst() : success;
        operations.updates.add(new Updating(
                new Span(one.span().call(), from, until), one.request(), success == null ? null : one.reply(), true));
        for (Updating call : same) {
            afterwards(call, until, forgotten, operations);
        }
    }

    /** What a call may have done though another was the one that was applied. */
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
                    "an update that had succeeded was refused when it was repeated");
        }
    }

    /** The queues that a request names. */
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
