package io.taskmaster.stage.local.pool;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.local.PriorityLanes;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** Concurrency stress tests of a {@link WorkerPool} at its {@link PriorityLanes}. */
public final class WorkerPoolStress {

    private WorkerPoolStress() {}

    /** A stage with one event in line, and one place, for which a worker has been called. */
    private static final class Line implements WorkerPool.Work {

        private final PriorityLanes priorityLanes = new PriorityLanes(4, true);
        private final Queue<Runnable> pool = new ConcurrentLinkedQueue<>();
        private final WorkerPool workerPool = new WorkerPool(Threads.of(pool::add, () -> 0), 1, this);
        private final AtomicInteger handled = new AtomicInteger();

        Line() {
            offer(ServiceClass.INTERACTIVE);
        }

        void offer(ServiceClass serviceClass) {
            priorityLanes.add(serviceClass, this);
            workerPool.call();
        }

        /** Runs a thread, if the {@link WorkerPool} has asked for one. */
        void come() {
            Runnable worker = pool.poll();
            if (worker != null) {
                worker.run();
            }
        }

        void allCome() {
            while (!pool.isEmpty()) {
                come();
            }
        }

        @Override
        public boolean handleNext() {
            boolean any = priorityLanes.poll() != null;
            if (any) {
                handled.incrementAndGet();
            }
            return any;
        }

        @Override
        public boolean hasWork() {
            return !priorityLanes.isEmpty();
        }

        @Override
        public void ended() {}

        @Override
        public void isSlow(StackTraceElement[] where) {}

        @Override
        public void onNoThread() {}
    }

    @JCStressTest
    @State
    @Outcome(id = "2, 0, 0", expect = Expect.ACCEPTABLE, desc = "both events are handled")
    @Outcome(expect = Expect.FORBIDDEN, desc = "an event is left lying, or a place is taken for ever")
    public static class EventIsNotLeftByAWorkerThatLeaves {

        private final Line line = new Line();

        @Actor
        public void producer() {
            line.offer(ServiceClass.BULK);
        }

        @Actor
        public void worker() {
            line.come();
        }

        @Arbiter
        public void after(III_Result result) {
            line.allCome();
            result.r1 = line.handled.get();
            result.r2 = line.priorityLanes.size();
            result.r3 = line.workerPool.size();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "one of them has handled it")
    @Outcome(expect = Expect.FORBIDDEN, desc = "nobody has, or a place is taken for ever")
    public static class HelperAndWorkerAreOneOfTheCrew {

        private final Line line = new Line();

        @Actor
        public void worker() {
            line.come();
        }

        @Actor
        public void helper() {
            boolean _ = line.workerPool.help();
        }

        @Arbiter
        public void after(II_Result result) {
            line.allCome();
            result.r1 = line.handled.get();
            result.r2 = line.workerPool.size();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "both events are handled")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a place that was added is used by nobody, or taken for ever")
    public static class PlaceIsAddedWhileAnEventComes {

        private final Line line = new Line();

        @Actor
        public void producer() {
            line.offer(ServiceClass.INTERACTIVE);
        }

        @Actor
        public void controller() {
            line.workerPool.places(2);
        }

        @Arbiter
        public void after(II_Result result) {
            line.allCome();
            result.r1 = line.handled.get();
            result.r2 = line.workerPool.size();
        }
    }
}
