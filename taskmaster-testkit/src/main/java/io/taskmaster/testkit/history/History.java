package io.taskmaster.testkit.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Everything that clients asked and were told, in the order in which it was invoked. A history is whole: an oracle that judges it
 * takes it that nobody else asked anything, and that all queues were empty when it began. Immutable.
 *
 * @param calls numbered from 1, without gaps
 */
public record History(List<RecordedCall> calls) {

    public History {
        calls = List.copyOf(calls);
        for (int i = 0; i < calls.size(); i++) {
            if (calls.get(i).number() != i + 1) {
                throw new IllegalArgumentException("number: %d (expected: %d, calls are numbered in their order)"
                        .formatted(calls.get(i).number(), i + 1));
            }
        }
    }

    /** A history of calls in any order and with any numbers: they are numbered anew by the time of their invocation. */
    public static History of(List<RecordedCall> calls) {
        List<RecordedCall> sorted = new ArrayList<>(calls);
        sorted.sort(Comparator.comparingLong(RecordedCall::invokedMicros));
        sorted.replaceAll(new Renumbering()::next);
        return new History(sorted);
    }

    /** What several processes recorded on clocks that agree, as one history. */
    public static History merge(List<History> parts) {
        return of(parts.stream().flatMap(part -> part.calls.stream()).toList());
    }

    public int size() {
        return calls.size();
    }

    /** Counts from 1. Single-threaded. */
    private static final class Renumbering {
        private long last;

        RecordedCall next(RecordedCall call) {
            return new RecordedCall(
                    ++last,
                    call.client(),
                    call.invokedMicros(),
                    call.completedMicros(),
                    call.request(),
                    call.outcome());
        }
    }
}
