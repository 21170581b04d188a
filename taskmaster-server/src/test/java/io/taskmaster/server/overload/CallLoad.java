package io.taskmaster.server.overload;

import com.google.protobuf.ByteString;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Partitions;
import io.taskmaster.v1.Enqueue;
import io.taskmaster.v1.IfExists;
import io.taskmaster.v1.ServiceClass;
import io.taskmaster.v1.UpdateRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The requests: each call is an update that enqueues one task of 1 KB over any task with its PID ({@code REPLACE}); one
 * in ten is interactive, the others are bulk. Each call is a commit of 1 KB to the log and independent of others, as an
 * open loop needs. Since the number of PIDs is fixed, neither the backlog nor what the flush rounds write grows with
 * the calls, so that the capacity of the store is the same in every phase. Task and class of a call follow from its
 * number. Immutable.
 */
final class CallLoad {

    static final int DATA_BYTES = 1024;

    /** The number of groups, and of the partitions that take part. */
    private static final int GROUPS = 8;

    private static final int PIDS_PER_GROUP = 8;
    private static final int INTERACTIVE_ONE_IN = 10;
    private static final long SEED = 20_261_121;

    private final List<UpdateRequest> interactive = new ArrayList<>();
    private final List<UpdateRequest> bulk = new ArrayList<>();

    CallLoad() {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[] data = new byte[DATA_BYTES];
        for (int i = 0; i < GROUPS; i++) {
            String group = groupIn(i);
            for (int pid = 0; pid < PIDS_PER_GROUP; pid++) {
                random.nextBytes(data);
                Enqueue task = Enqueue.newBuilder()
                        .setQueue(ByteString.copyFromUtf8("overload"))
                        .setPid(ByteString.copyFromUtf8("task-" + pid))
                        .setData(ByteString.copyFrom(data))
                        .setIfExists(IfExists.REPLACE)
                        .build();
                UpdateRequest request = UpdateRequest.newBuilder()
                        .setGroup(ByteString.copyFromUtf8(group))
                        .addEnqueue(task)
                        .build();
                interactive.add(request.toBuilder()
                        .setServiceClass(ServiceClass.INTERACTIVE)
                        .build());
                bulk.add(request.toBuilder().setServiceClass(ServiceClass.BULK).build());
            }
        }
    }

    /**
     * Returns the first group in a partition with the given remainder, so that no two groups share a partition, and
     * every loop has its share.
     */
    private static String groupIn(int remainder) {
        for (int i = 0; ; i++) {
            String name = "load-" + i;
            if (Partitions.partitionOf(GroupName.of(name), Partitions.DEFAULT_COUNT) % GROUPS == remainder) {
                return name;
            }
        }
    }

    UpdateRequest request(long number) {
        List<UpdateRequest> ofClass = isInteractive(number) ? interactive : bulk;
        return ofClass.get((int) Long.remainderUnsigned(mixed(number) >>> 8, ofClass.size()));
    }

    boolean isInteractive(long number) {
        return Long.remainderUnsigned(mixed(number) >>> 32, INTERACTIVE_ONE_IN) == 0;
    }

    /** The finalizer of SplittableRandom: consecutive numbers become independent. */
    static long mixed(long number) {
        long z = number + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
