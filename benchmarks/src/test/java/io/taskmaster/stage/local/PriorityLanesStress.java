package io.taskmaster.stage.local;

import io.taskmaster.client.ServiceClass;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Concurrency stress tests of {@link PriorityLanes}: each allowed interleaving of two threads is listed. */
public final class PriorityLanesStress {

    private static final int NOTHING = -1;

    private PriorityLanesStress() {}

    /** An event whose content a producer writes without synchronization. */
    private static final class Event {
        private int content;
    }

    private static Event event(int content) {
        Event event = new Event();
        event.content = content;
        return event;
    }

    private static int contentOf(@Nullable Object event) {
        return event instanceof Event known ? known.content : NOTHING;
    }

    @JCStressTest
    @State
    @Outcome(id = "1, -1", expect = Expect.ACCEPTABLE, desc = "it came in time")
    @Outcome(id = "-1, 1", expect = Expect.ACCEPTABLE, desc = "it came too late")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it is lost, or not whole")
    public static class EventComesWithWhatIsInIt {

        private final PriorityLanes priorityLanes = new PriorityLanes(1, true);

        @Actor
        public void producer() {
            priorityLanes.add(ServiceClass.BULK, event(1));
        }

        @Actor
        public void worker(II_Result result) {
            result.r1 = contentOf(priorityLanes.poll());
        }

        @Arbiter
        public void after(II_Result result) {
            result.r2 = contentOf(priorityLanes.poll());
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "one each")
    @Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "one each")
    @Outcome(expect = Expect.FORBIDDEN, desc = "both have one, or one has none while one waits")
    public static class TwoWorkersTakeOneEach {

        private final PriorityLanes priorityLanes = new PriorityLanes(2, true);

        public TwoWorkersTakeOneEach() {
            priorityLanes.add(ServiceClass.INTERACTIVE, event(1));
            priorityLanes.add(ServiceClass.BULK, event(2));
        }

        @Actor
        public void first(II_Result result) {
            result.r1 = contentOf(priorityLanes.poll());
        }

        @Actor
        public void second(II_Result result) {
            result.r2 = contentOf(priorityLanes.poll());
        }
    }
}
