package io.taskmaster.stage.local.credit;

import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** Concurrency stress tests of {@link RundownGuard}: each allowed interleaving of two threads is listed. */
public final class RundownGuardStress {

    private RundownGuardStress() {}

    @JCStressTest
    @State
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "it came in time, and is waited for")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "it came too late, and nobody is in")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it is in and not waited for, or nobody hears that it is not")
    public static class WhoeverIsInIsWaitedFor {

        private final RundownGuard rundownGuard = new RundownGuard();
        private volatile CompletableFuture<Void> over = new CompletableFuture<>();

        @Actor
        public void producer(ZZ_Result result) {
            result.r1 = rundownGuard.enter();
        }

        @Actor
        public void closer() {
            over = rundownGuard.close();
        }

        @Arbiter
        public void after(ZZ_Result result) {
            result.r2 = over.isDone();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "that the last has left is heard")
    @Outcome(expect = Expect.FORBIDDEN, desc = "nobody hears of it")
    public static class LastWhoLeavesIsHeard {

        private final RundownGuard rundownGuard = new RundownGuard();
        private volatile CompletableFuture<Void> over = new CompletableFuture<>();

        public LastWhoLeavesIsHeard() {
            boolean _ = rundownGuard.enter();
        }

        @Actor
        public void producer() {
            rundownGuard.exit();
        }

        @Actor
        public void closer() {
            over = rundownGuard.close();
        }

        @Arbiter
        public void after(Z_Result result) {
            result.r1 = over.isDone();
        }
    }
}
