package io.taskmaster.server.heap;

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
 * A watch on full collections: a heap that some of them in a row leave full will not get better, though there may be just enough for nobody to be refused. Single-threaded: collections are told one after the other.
 */
final class HeapWatch {

    /** So many in a row. */
    static final int COLLECTIONS = 5;

    /** Leave less than this share of the heap. */
    static final double SHARE_LEFT = 0.02;

    private static final String FULL_COLLECTION = "end of major GC";

    private final Runnable full;
    private int inARow;

    HeapWatch(Runnable full) {
        this.full = full;
    }

    /**
     * Watches the heap of this process.
     *
     * @param full is run when it is full for good
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
                emitter.addNotificationListener((notification, _) -> watch.told(notification, ofHeap), null, null);
            }
        }
    }

    private void told(Notification notification, Set<String> ofHeap) {
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

    /** A full collection has left so much of the heap in use. */
    void collected(long usedBytes, long maxBytes) {
        inARow = usedBytes > maxBytes * (1 - SHARE_LEFT) ? inARow + 1 : 0;
        if (inARow == COLLECTIONS) {
            full.run();
        }
    }
}
