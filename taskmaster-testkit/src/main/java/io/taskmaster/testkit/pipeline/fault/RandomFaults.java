package io.taskmaster.testkit.pipeline.fault;

import io.taskmaster.error.ErrorCode;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A source of random faults of calls: refusals, lost replies and late replies.
 *
 * @param percent the percentage of calls that a fault befalls
 */
public record RandomFaults(int percent, RandomGenerator random) {

    private static final long LATEST_MILLIS = 5_000;

    public Optional<CommitFault.OfCall> next() {
        if (random.nextInt(100) >= percent) {
            return Optional.empty();
        }
        return Optional.of(
                switch (random.nextInt(3)) {
                    case 0 -> new CommitFault.Refuse(ErrorCode.OVERLOADED);
                    case 1 -> new CommitFault.LoseReply();
                    default -> new CommitFault.DelayReply(Duration.ofMillis(random.nextLong(LATEST_MILLIS)));
                });
    }
}
