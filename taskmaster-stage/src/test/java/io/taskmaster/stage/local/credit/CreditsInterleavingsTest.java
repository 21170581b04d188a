package io.taskmaster.stage.local.credit;

import io.taskmaster.stage.local.Interleavings;
import java.util.Arrays;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Tests that {@link Credits} are claimed and returned as if one thread did so after the other. */
public final class CreditsInterleavingsTest {

    private static final int CAPACITY = 3;
    private static final int MAX_THREADS = 8;

    private final Credits credits = new Credits(CAPACITY);

    /** The credits of each thread, which returns no more than it has. */
    private final int[] held = new int[MAX_THREADS];

    @Operation
    public boolean claim(
            @Param(gen = IntGen.class, conf = "1:2") int count, @Param(gen = ThreadIdGen.class) int thread) {
        boolean claimed = credits.tryClaim(count);
        held[thread] += claimed ? count : 0;
        return claimed;
    }

    @Operation
    public boolean giveBack(@Param(gen = ThreadIdGen.class) int thread) {
        if (held[thread] == 0) {
            return false;
        }
        held[thread]--;
        credits.release(1);
        return true;
    }

    @Validate
    public void whatIsTakenIsWhatIsHeld() {
        int all = Arrays.stream(held).sum();
        if (credits.taken() != all || all > CAPACITY) {
            throw new AssertionError("taken: %d (expected: %d)".formatted(credits.taken(), all));
        }
    }

    @Test
    void inManyOrders() {
        Interleavings.explore(CreditsInterleavingsTest.class);
    }

    @Test
    void onRealThreads() {
        Interleavings.stress(CreditsInterleavingsTest.class);
    }
}
