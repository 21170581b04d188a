package io.taskmaster.stage.local;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.local.Room.Entry;
import java.util.Arrays;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** A {@link Room} gives away no more than it has, and whoever is in line leaves it. */
public final class RoomInterleavingsTest {

    private static final int CAPACITY = 3;
    private static final int MAX_THREADS = 8;

    private final Room room = new Room(CAPACITY, Timer.SYSTEM);

    /** Each thread gives back only what it has. */
    private final int[] held = new int[MAX_THREADS];

    // Whether somebody gets in depends on who is in line at that moment, which no order of the operations tells.

    @Operation
    public void enter(@Param(gen = IntGen.class, conf = "1:2") int count, @Param(gen = ThreadIdGen.class) int thread) {
        held[thread] += room.enter(count) == Entry.IN ? count : 0;
    }

    @Operation
    public void getInLine(
            @Param(gen = IntGen.class, conf = "1:2") int count, @Param(gen = ThreadIdGen.class) int thread)
            throws InterruptedException {
        held[thread] += room.await(count, 0, null) == Entry.IN ? count : 0;
    }

    @Operation
    public void leave(@Param(gen = ThreadIdGen.class) int thread) {
        if (held[thread] > 0) {
            held[thread]--;
            room.leave(1);
        }
    }

    @Operation
    public void close() {
        room.close();
    }

    @Validate
    public void whatIsTakenIsWhatIsHeld() {
        int all = Arrays.stream(held).sum();
        if (room.taken() != all || all > CAPACITY || room.waiting() != 0) {
            throw new AssertionError(
                    "taken: %d, waiting: %d (expected: %d and none)".formatted(room.taken(), room.waiting(), all));
        }
    }

    @Test
    void inManyOrders() {
        Interleavings.exploreLocked(RoomInterleavingsTest.class);
    }

    @Test
    void onRealThreads() {
        Interleavings.stress(RoomInterleavingsTest.class);
    }
}
