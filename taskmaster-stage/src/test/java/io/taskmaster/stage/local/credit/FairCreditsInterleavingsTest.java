package io.taskmaster.stage.local.credit;

import io.taskmaster.client.Timer;
import io.taskmaster.stage.local.Interleavings;
import io.taskmaster.stage.local.credit.FairCredits.Entry;
import java.util.Arrays;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Tests that a {@link FairCredits} gives away no more credits than it has, and that every waiter leaves the line. */
public final class FairCreditsInterleavingsTest {

    private static final int CAPACITY = 3;
    private static final int MAX_THREADS = 8;

    private final FairCredits fairCredits = new FairCredits(CAPACITY, Timer.SYSTEM);

    /** The credits of each thread, which returns no more than it has. */
    private final int[] held = new int[MAX_THREADS];

    // The results are not compared: whether a thread gets credits depends on the waiters at that moment, which no
    // sequential order explains.

    @Operation
    public void enter(@Param(gen = IntGen.class, conf = "1:2") int count, @Param(gen = ThreadIdGen.class) int thread) {
        held[thread] += fairCredits.enter(count) == Entry.IN ? count : 0;
    }

    @Operation
    public void getInLine(
            @Param(gen = IntGen.class, conf = "1:2") int count, @Param(gen = ThreadIdGen.class) int thread)
            throws InterruptedException {
        held[thread] += fairCredits.await(count, 0, null) == Entry.IN ? count : 0;
    }

    @Operation
    public void leave(@Param(gen = ThreadIdGen.class) int thread) {
        if (held[thread] > 0) {
            held[thread]--;
            fairCredits.leave(1);
        }
    }

    @Operation
    public void close() {
        fairCredits.close();
    }

    @Validate
    public void whatIsTakenIsWhatIsHeld() {
        int all = Arrays.stream(held).sum();
        if (fairCredits.taken() != all || all > CAPACITY || fairCredits.waiting() != 0) {
            throw new AssertionError("taken: %d, waiting: %d (expected: %d and none)"
                    .formatted(fairCredits.taken(), fairCredits.waiting(), all));
        }
    }

    @Test
    void inManyOrders() {
        Interleavings.exploreLocked(FairCreditsInterleavingsTest.class);
    }

    @Test
    void onRealThreads() {
        Interleavings.stress(FairCreditsInterleavingsTest.class);
    }
}
