package io.taskmaster.stage.local.credit;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Concurrency stress tests of {@link Credits}: each allowed interleaving of two threads is listed. */
public final class CreditsStress {

    private CreditsStress() {}

    @JCStressTest
    @State
    @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "the first has it")
    @Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "the second has it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both, or none")
    public static class OneCreditIsClaimedOnce {

        private final Credits credits = new Credits(1);

        @Actor
        public void first(ZZI_Result result) {
            result.r1 = credits.tryClaim(1);
        }

        @Actor
        public void second(ZZI_Result result) {
            result.r2 = credits.tryClaim(1);
        }

        @Arbiter
        public void after(ZZI_Result result) {
            result.r3 = (int) credits.taken();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "it came in time")
    @Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "it came too late")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a credit is lost, or made")
    public static class CreditThatIsGivenBackCanBeClaimed {

        private final Credits credits = claimed();

        @Actor
        public void consumer() {
            credits.release(1);
        }

        @Actor
        public void producer(ZI_Result result) {
            result.r1 = credits.tryClaim(1);
        }

        @Arbiter
        public void after(ZI_Result result) {
            result.r2 = (int) credits.taken();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "it came in time, with what was done before")
    @Outcome(id = "0, -1", expect = Expect.ACCEPTABLE, desc = "it came too late")
    @Outcome(
            expect = Expect.FORBIDDEN,
            desc = "somebody has the credit, and does not see what was done before it was given back")
    public static class WhoClaimsSeesWhatWasDoneBefore {

        private final Credits credits = claimed();
        private int place;

        @Actor
        public void consumer() {
            place = 1;
            credits.release(1);
        }

        @Actor
        public void producer(II_Result result) {
            boolean claimed = credits.tryClaim(1);
            result.r1 = claimed ? 1 : 0;
            result.r2 = claimed ? place : -1;
        }
    }

    private static Credits claimed() {
        Credits credits = new Credits(1);
        boolean _ = credits.tryClaim(1);
        return credits;
    }
}
