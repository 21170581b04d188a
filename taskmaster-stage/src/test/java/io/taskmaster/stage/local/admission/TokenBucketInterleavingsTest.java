package io.taskmaster.stage.local.admission;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.local.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * Tests that a {@link TokenBucket} admits as many events as if one thread asked after the other; all ask at the same
 * instant.
 */
public final class TokenBucketInterleavingsTest {

    private final TokenBucket bucket = new TokenBucket(new Rate(1, 4), 0);

    @Operation
    public boolean admits(@Param(gen = IntGen.class, conf = "1:3") int cost) {
        return bucket.admits(new Candidate(cost, ServiceClass.INTERACTIVE, 0, 0, 100, 0));
    }

    @Test
    void inManyOrders() {
        Interleavings.explore(TokenBucketInterleavingsTest.class);
    }

    @Test
    void onRealThreads() {
        Interleavings.stress(TokenBucketInterleavingsTest.class);
    }
}
