package io.taskmaster.proxy.heap;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.HashSet;
import java.util.Set;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * A monitor of full collections. A heap that several of them in a row leave almost full will not recover, although
 * allocations may still succeed. Single-threaded: the JVM delivers collections one after the other.
 *
 * <p>State: the number of consecutive full collections that left less than {@link #MIN_FREE_SHARE} of the heap free. A
 * better collection resets it; {@link #COLLECTIONS} of them report a full heap.
 */
final class HeapWatch {

    /** The number of consecutive full collections that report a full heap. */
    static final int COLLECTIONS = 5;

    /** The share of the heap that a collection must free at least. */
    static final double MIN_FREE_SHARE = 0.02;

    private static final String FULL_COLLECTION = "end of major GC";

    private final Runnable full;
    private int inARow;

    HeapWatch(Runnable full) {
        this.full = full;
    }

    /**
     * Monitors the heap of this process.
     *
     * @param full runs when the heap is full for good
     */
    static void start(Runnable full) {
        HeapWatch watch = new HeapWatch(full);
        Set<String> ofHeap = new HashSet<>();
        ManagementFactory.getMemoryPoolMXBeans().forEach(pool -> {
            if (pool.getType() == MemoryType.HEAP) {
                ofHeap.add(pool.getName());
            }
        });
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(
                        (notification, _) -> watch.onNotification(notification, ofHeap), null, null);
            }
        }
    }

    private void onNotification(Notification notification, Set<String> ofHeap) {
        if (notification.getUserData() instanceof CompositeData data
                && notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            GarbageCollectionNotificationInfo collection = GarbageCollectionNotificationInfo.from(data);
            if (collection.getGcAction().equals(FULL_COLLECTION)) {
                GcInfo info = collection.getGcInfo();
                long used = info.getMemoryUsageAfterGc().entrySet().stream()
                        .filter(pool -> ofHeap.contains(pool.getKey()))
                        .mapToLong(pool -> pool.getValue().getUsed())
                        .sum();
                collected(used, Runtime.getRuntime().maxMemory());
            }
        }
    }

    /** Counts a full collection that has left this many bytes in use. */
    void collected(long usedBytes, long maxBytes) {
        inARow = usedBytes > maxBytes * (1 - MIN_FREE_SHARE) ? inARow + 1 : 0;
        if (inARow == COLLECTIONS) {
            full.run();
        }
    }
}
