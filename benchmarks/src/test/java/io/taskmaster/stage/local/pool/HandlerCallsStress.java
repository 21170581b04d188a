package io.taskmaster.stage.local.pool;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Concurrency stress tests of {@link HandlerCalls}: each allowed interleaving of two threads is listed. */
public final class HandlerCallsStress {

    private HandlerCallsStress() {}

    @JCStressTest
    @State
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the thread has come in time")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "somebody has helped before")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both work in one place, or nobody does")
    public static class OneWhoIsCalledIsReplacedOnce {

        private final HandlerCalls handlerCalls = new HandlerCalls();

        public OneWhoIsCalledIsReplacedOnce() {
            boolean _ = handlerCalls.call();
        }

        @Actor
        public void thread(ZZ_Result result) {
            result.r1 = handlerCalls.begin();
        }

        @Actor
        public void helper(ZZ_Result result) {
            result.r2 = handlerCalls.take();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the thread on its way comes for the new call")
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "it came for nobody, and another one is asked for")
    @Outcome(expect = Expect.FORBIDDEN, desc = "nobody comes for the call, or two do")
    public static class ThreadThatComesForNobodyIsNotCountedOn {

        private final HandlerCalls handlerCalls = new HandlerCalls();

        public ThreadThatComesForNobodyIsNotCountedOn() {
            boolean _ = handlerCalls.call() && handlerCalls.take();
        }

        @Actor
        public void caller(ZZ_Result result) {
            result.r1 = handlerCalls.call();
        }

        @Actor
        public void thread(ZZ_Result result) {
            result.r2 = handlerCalls.begin();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "true, true, true, true", expect = Expect.ACCEPTABLE, desc = "two are called, and two come")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a call is lost")
    public static class TwoCallsAskForTwo {

        private final HandlerCalls handlerCalls = new HandlerCalls();

        @Actor
        public void first(ZZZZ_Result result) {
            result.r1 = handlerCalls.call();
        }

        @Actor
        public void second(ZZZZ_Result result) {
            result.r2 = handlerCalls.call();
        }

        @Arbiter
        public void threads(ZZZZ_Result result) {
            result.r3 = handlerCalls.begin();
            result.r4 = handlerCalls.begin();
        }
    }
}
