package io.taskmaster.testkit.oracle.verdict;

import java.time.Duration;

/**
 * The assumptions of the oracle that a history does not contain. Immutable.
 *
 * @param clockSlack the largest distance of any server's clock, at any time, from those of the clients
 * @param activationLag the time after its not-before time during which a delayed task may still be treated as delayed:
 *     very many that are due at one instant are activated one after the other
 * @param dedupWindow the dedup window: the time for which servers remember request ids
 * @param endsWithDrain whether the history goes on until every task was dequeued or deleted
 * @param maxStates the number of states of one task that are searched before it counts as undecided
 */
public record OracleSettings(
        Duration clockSlack, Duration activationLag, Duration dedupWindow, boolean endsWithDrain, int maxStates) {

    /** Settings for clients and servers on one machine. */
    public static final OracleSettings DEFAULT =
            new OracleSettings(Duration.ofMillis(50), Duration.ofSeconds(2), Duration.ofMinutes(2), false, 50_000);

    public OracleSettings {
        if (clockSlack.isNegative() || activationLag.isNegative() || dedupWindow.isNegative() || maxStates < 1) {
            throw new IllegalArgumentException(
                    "clockSlack, activationLag, dedupWindow, maxStates: %s, %s, %s, %d (expected: none negative)"
                            .formatted(clockSlack, activationLag, dedupWindow, maxStates));
        }
    }

    public OracleSettings withClockSlack(Duration slack) {
        return new OracleSettings(slack, activationLag, dedupWindow, endsWithDrain, maxStates);
    }

    public OracleSettings withActivationLag(Duration lag) {
        return new OracleSettings(clockSlack, lag, dedupWindow, endsWithDrain, maxStates);
    }

    public OracleSettings withDedupWindow(Duration window) {
        return new OracleSettings(clockSlack, activationLag, window, endsWithDrain, maxStates);
    }

    public OracleSettings withMaxStates(int states) {
        return new OracleSettings(clockSlack, activationLag, dedupWindow, endsWithDrain, states);
    }

    /** Returns these settings for a history that ends with a drain. */
    public OracleSettings drained() {
        return new OracleSettings(clockSlack, activationLag, dedupWindow, true, maxStates);
    }

    /** Returns the clock slack plus the 2 ms that servers lose by counting in milliseconds. */
    public long slackMicros() {
        return micros(clockSlack) + 2_000;
    }

    public long activationLagMicros() {
        return micros(activationLag);
    }

    public long dedupWindowMicros() {
        return micros(dedupWindow);
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }
}
