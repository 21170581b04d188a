package io.taskmaster.stage.local.credit;

import io.taskmaster.client.Timer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LI_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/** Concurrency stress tests of {@link FairCredits}: each allowed interleaving of two threads is listed. */
public final class FairCreditsStress {

    /** A timeout far longer than a wake-up takes. */
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

    private FairCreditsStress() {}

    private static FairCredits full() {
        FairCredits fairCredits = new FairCredits(1, Timer.SYSTEM);
        FairCredits.Entry _ = fairCredits.enter(1);
        return fairCredits;
    }

    private static FairCredits.Entry waitIn(FairCredits fairCredits) {
        try {
            return fairCredits.await(1, LONG_NANOS, null);
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts it", e);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "IN", expect = Expect.ACCEPTABLE, desc = "who waits is woken, or need not wait")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the wake-up is lost")
    public static class WhoWaitsHearsOfRoom {

        private final FairCredits fairCredits = full();

        @Actor
        public void consumer() {
            fairCredits.leave(1);
        }

        @Actor
        public void producer(L_Result result) {
            result.r1 = waitIn(fairCredits);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "CLOSED", expect = Expect.ACCEPTABLE, desc = "who waits is told")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it waits on")
    public static class WhoWaitsHearsOfTheEnd {

        private final FairCredits fairCredits = full();

        @Actor
        public void closer() {
            fairCredits.close();
        }

        @Actor
        public void producer(L_Result result) {
            result.r1 = waitIn(fairCredits);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "IN, 1", expect = Expect.ACCEPTABLE, desc = "it came in time")
    @Outcome(id = "CLOSED, 0", expect = Expect.ACCEPTABLE, desc = "it came too late, and holds nothing")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a credit is lost, or made")
    public static class WhoIsTooLateHoldsNothing {

        private final FairCredits fairCredits = new FairCredits(1, Timer.SYSTEM);

        @Actor
        public void closer() {
            fairCredits.close();
        }

        @Actor
        public void producer(LI_Result result) {
            result.r1 = fairCredits.enter(1);
        }

        @Arbiter
        public void after(LI_Result result) {
            result.r2 = (int) fairCredits.taken();
        }
    }
}
