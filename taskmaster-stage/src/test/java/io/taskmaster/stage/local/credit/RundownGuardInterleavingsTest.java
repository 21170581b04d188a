package io.taskmaster.stage.local.credit;

import io.taskmaster.stage.local.Interleavings;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Tests that a {@link RundownGuard} that was closed is over when all calls have left, and not before. */
public final class RundownGuardInterleavingsTest {

    private static final int MAX_THREADS = 8;

    private final RundownGuard rundownGuard = new RundownGuard();
    private final int[] in = new int[MAX_THREADS];
    private volatile boolean closed;
    private volatile boolean wasEarly;
    private volatile CompletableFuture<Void> over = new CompletableFuture<>();

    @Operation
    public boolean enter(@Param(gen = ThreadIdGen.class) int thread) {
        boolean entered = rundownGuard.enter();
        in[thread] += entered ? 1 : 0;
        return entered;
    }

    @Operation
    public boolean leave(@Param(gen = ThreadIdGen.class) int thread) {
        if (in[thread] == 0) {
            return false;
        }
        // This call is in flight, so the future must not be complete.
        if (over.isDone()) {
            wasEarly = true;
        }
        in[thread]--;
        rundownGuard.exit();
        return true;
    }

    @Operation
    public void close() {
        over = rundownGuard.close();
        closed = true;
    }

    @Validate
    public void itIsOverWhenAllHaveLeft() {
        boolean isEmpty = Arrays.stream(in).sum() == 0;
        if (wasEarly || over.isDone() != (closed && isEmpty)) {
            throw new AssertionError(
                    "over: %s, in: %s, early: %s".formatted(over.isDone(), Arrays.toString(in), wasEarly));
        }
    }

    @Test
    void inManyOrders() {
        Interleavings.explore(RundownGuardInterleavingsTest.class);
    }

    @Test
    void onRealThreads() {
        Interleavings.stress(RundownGuardInterleavingsTest.class);
    }
}
