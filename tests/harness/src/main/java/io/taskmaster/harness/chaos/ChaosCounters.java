package io.taskmaster.harness.chaos;

import io.taskmaster.testkit.history.History;
import io.taskmaster.testkit.history.RecordedCall;
import io.taskmaster.testkit.history.RecordedOutcome;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The figures of a history. Immutable.
 *
 * @param methods the outcomes of calls by method
 * @param errors the number of calls by error
 * @param handOffs tasks that moved in updates that were acknowledged
 * @param silence the longest time in which no call was answered
 */
record ChaosCounters(Map<String, Outcomes> methods, Map<String, Integer> errors, long handOffs, Duration silence) {

    /** Errors that no fault explains: the server found fault with a request, or with itself. */
    private static final Set<String> UNEXPECTED = Set.of("INVALID_ARGUMENT", "UNIMPLEMENTED", "INTERNAL");

    /** The number of calls by outcome. */
    record Outcomes(int answered, int failed, int unknown) {

        static final Outcomes NONE = new Outcomes(0, 0, 0);

        Outcomes plus(RecordedOutcome recordedOutcome) {
            return switch (recordedOutcome) {
                case RecordedOutcome.Replied _ -> new Outcomes(answered + 1, failed, unknown);
                case RecordedOutcome.Failed _ -> new Outcomes(answered, failed + 1, unknown);
                case RecordedOutcome.Unknown _ -> new Outcomes(answered, failed, unknown + 1);
            };
        }

        Outcomes plus(Outcomes others) {
            return new Outcomes(answered + others.answered, failed + others.failed, unknown + others.unknown);
        }

        @Override
        public String toString() {
            return "%d answered, %d failed, %d unknown".formatted(answered, failed, unknown);
        }
    }

    static ChaosCounters of(History history) {
        Map<String, Outcomes> methods = new TreeMap<>();
        Map<String, Integer> errors = new TreeMap<>();
        long handOffs = 0;
        for (RecordedCall call : history.calls()) {
            String method = call.request()
                    .getDescriptorForType()
                    .getName()
                    .replace("Request", "")
                    .toLowerCase(Locale.ROOT);
            methods.merge(method, Outcomes.NONE.plus(call.recordedOutcome()), Outcomes::plus);
            switch (call.recordedOutcome()) {
                case RecordedOutcome.Replied(var reply) -> handOffs += handOffs(call, reply);
                case RecordedOutcome.Failed(String code, String reason) ->
                    errors.merge(name(code, reason), 1, Integer::sum);
                case RecordedOutcome.Unknown(String code, String reason) ->
                    errors.merge(name(code, reason), 1, Integer::sum);
            }
        }
        return new ChaosCounters(Map.copyOf(methods), Map.copyOf(errors), handOffs, silence(history));
    }

    Outcomes all() {
        return methods.values().stream().reduce(Outcomes.NONE, Outcomes::plus);
    }

    /** Returns the errors that no fault explains. */
    List<String> unexpected() {
        return errors.entrySet().stream()
                .filter(entry -> UNEXPECTED.stream().anyMatch(entry.getKey()::startsWith))
                .map(entry -> entry.getValue() + " calls ended with " + entry.getKey())
                .sorted()
                .toList();
    }

    private static long handOffs(RecordedCall call, Object reply) {
        return call.request() instanceof UpdateRequest update
                        && reply instanceof UpdateReply answer
                        && answer.getSuccess()
                ? Math.min(update.getDequeueCount(), update.getEnqueueCount())
                : 0;
    }

    private static String name(String code, String reason) {
        if (code.isEmpty()) {
            return "client died";
        }
        return reason.isEmpty() ? code : code + " " + reason;
    }

    private static Duration silence(History history) {
        long[] answers = history.calls().stream()
                .filter(call -> call.recordedOutcome() instanceof RecordedOutcome.Replied)
                .mapToLong(RecordedCall::completedMicros)
                .sorted()
                .toArray();
        long longest = 0;
        for (int i = 1; i < answers.length; i++) {
            longest = Math.max(longest, answers[i] - answers[i - 1]);
        }
        return Duration.of(longest, ChronoUnit.MICROS);
    }
}
