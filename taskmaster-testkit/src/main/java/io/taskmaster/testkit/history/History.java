package io.taskmaster.testkit.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A record of the calls of all clients, with their outcomes, in the order of their invocation.
 *
 * <p>A history is complete: an oracle that judges it presumes that no other calls were made, and that all queues were
 * empty when it began. Immutable.
 *
 * @param calls numbered from 1, without gaps
 */
public record History(List<RecordedCall> calls) {

    public History {
        calls = List.copyOf(calls);
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).number() != i + 1) {
                throw new IllegalArgumentException("number: %d (expected: %d, because calls are numbered in order)"
                        .formatted(calls.get(i).number(), i + 1));
            }
        }
    }

    /**
     * Returns a history of calls in any order and with any numbers: they are renumbered by the time of their
     * invocation.
     */
    public static History of(List<RecordedCall> calls) {
        List<RecordedCall> sorted = new ArrayList<>(calls);
        sorted.sort(Comparator.comparingLong(RecordedCall::invokedMicros));
        sorted.replaceAll(new Renumbering()::next);
        return new History(sorted);
    }

    /** Merges the histories of several processes whose clocks agree. */
    public static History merge(List<History> parts) {
        return of(parts.stream().flatMap(part -> part.calls.stream()).toList());
    }

    public int size() {
        return calls.size();
    }

    /** A counter of calls, from 1. Single-threaded. */
    private static final class Renumbering {
        private long last;

        RecordedCall next(RecordedCall call) {
            return new RecordedCall(
                    ++last,
                    call.client(),
                    call.invokedMicros(),
                    call.completedMicros(),
                    call.request(),
                    call.recordedOutcome());
        }
    }
}
