package io.taskmaster.stage.local;

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

/** Concurrency stress tests of {@link Room}: each allowed interleaving of two threads is listed. */
public final class RoomStress {

    /** A timeout far longer than a wake-up takes. */
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

    private RoomStress() {}

    private static Room full() {
        Room room = new Room(1, Timer.SYSTEM);
        Room.Entry _ = room.enter(1);
        return room;
    }

    private static Room.Entry waitIn(Room room) {
        try {
            return room.await(1, LONG_NANOS, null);
        } catch (InterruptedException e) {
            throw new AssertionError("nobody interrupts it", e);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "IN", expect = Expect.ACCEPTABLE, desc = "who waits is woken, or need not wait")
    @Outcome(expect = Expect.FORBIDDEN, desc = "the wake-up is lost")
    public static class WhoWaitsHearsOfRoom {

        private final Room room = full();

        @Actor
        public void consumer() {
            room.leave(1);
        }

        @Actor
        public void producer(L_Result result) {
            result.r1 = waitIn(room);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "CLOSED", expect = Expect.ACCEPTABLE, desc = "who waits is told")
    @Outcome(expect = Expect.FORBIDDEN, desc = "it waits on")
    public static class WhoWaitsHearsOfTheEnd {

        private final Room room = full();

        @Actor
        public void closer() {
            room.close();
        }

        @Actor
        public void producer(L_Result result) {
            result.r1 = waitIn(room);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "IN, 1", expect = Expect.ACCEPTABLE, desc = "it came in time")
    @Outcome(id = "CLOSED, 0", expect = Expect.ACCEPTABLE, desc = "it came too late, and holds nothing")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a credit is lost, or made")
    public static class WhoIsTooLateHoldsNothing {

        private final Room room = new Room(1, Timer.SYSTEM);

        @Actor
        public void closer() {
            room.close();
        }

        @Actor
        public void producer(LI_Result result) {
            result.r1 = room.enter(1);
        }

        @Arbiter
        public void after(LI_Result result) {
            result.r2 = (int) room.taken();
        }
    }
}
