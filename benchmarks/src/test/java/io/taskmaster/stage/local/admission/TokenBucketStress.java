package io.taskmaster.stage.local.admission;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.Rate;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Concurrency stress tests of {@link TokenBucket}: each allowed interleaving of two threads is listed. */
public final class TokenBucketStress {

    private static final Candidate CANDIDATE = new Candidate(1, ServiceClass.INTERACTIVE, 0, 0, 100, 0);

    private TokenBucketStress() {}

    @JCStressTest
    @State
    @Outcome(id = "true, true, false", expect = Expect.ACCEPTABLE, desc = "two of a burst of two, and no third")
    @Outcome(expect = Expect.FORBIDDEN, desc = "more than the burst, or less")
    public static class BurstIsLetInAtOnceAndNoMore {

        private final TokenBucket bucket = new TokenBucket(new Rate(1, 2), 0);

        @Actor
        public void first(ZZZ_Result result) {
            result.r1 = bucket.admits(CANDIDATE);
        }

        @Actor
        public void second(ZZZ_Result result) {
            result.r2 = bucket.admits(CANDIDATE);
        }

        @Arbiter
        public void third(ZZZ_Result result) {
            result.r3 = bucket.admits(CANDIDATE);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "the first has the only token")
    @Outcome(id = "false, true, false", expect = Expect.ACCEPTABLE, desc = "the second has it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both, or none")
    public static class LastTokenIsTakenOnce {

        private final TokenBucket bucket = new TokenBucket(new Rate(1, 1), 0);

        @Actor
        public void first(ZZZ_Result result) {
            result.r1 = bucket.admits(CANDIDATE);
        }

        @Actor
        public void second(ZZZ_Result result) {
            result.r2 = bucket.admits(CANDIDATE);
        }

        @Arbiter
        public void third(ZZZ_Result result) {
            result.r3 = bucket.admits(CANDIDATE);
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = "true, true, false",
            expect = Expect.ACCEPTABLE,
            desc = "two of the burst, whatever the rate is meanwhile")
    @Outcome(
            id = "true, false, false",
            expect = Expect.ACCEPTABLE_INTERESTING,
            desc = "the first has paid by the rate before, of which a token takes twice as long")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the change has made a token, or lost more than that")
    public static class ChangeOfTheRateMakesNoTokens {

        private final TokenBucket bucket = new TokenBucket(new Rate(1, 2), 0);

        @Actor
        public void candidate(ZZZ_Result result) {
            result.r1 = bucket.admits(CANDIDATE);
        }

        @Actor
        public void controller() {
            bucket.rate(new Rate(2, 2), 0);
        }

        @Arbiter
        public void after(ZZZ_Result result) {
            result.r2 = bucket.admits(CANDIDATE);
            result.r3 = bucket.admits(CANDIDATE);
        }
    }
}
