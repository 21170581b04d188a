package io.taskmaster.proxy.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HeapWatchTest {

    private static final long HEAP = 1_000;
    private static final long FULL = 985;

    private final AtomicInteger ends = new AtomicInteger();
    private final HeapWatch watch = new HeapWatch(ends::incrementAndGet);

    @Test
    void aHeapThatFullCollectionsLeaveFullIsFull() {
        collections(HeapWatch.COLLECTIONS - 1, FULL);
        assertThat(ends).hasValue(0);
        collections(1, FULL);
        assertThat(ends).hasValue(1);
    }

    @Test
    void oneThatLeavesRoomIsReasonToGoOn() {
        for (int i = 0; i < 10; i++) {
            collections(HeapWatch.COLLECTIONS - 1, FULL);
            collections(1, 900);
        }
        assertThat(ends).hasValue(0);
    }

    private void collections(int count, long usedBytes) {
        for (int i = 0; i < count; i++) {
            watch.collected(usedBytes, HEAP);
        }
    }
}
