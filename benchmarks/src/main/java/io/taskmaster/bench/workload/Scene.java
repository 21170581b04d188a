package io.taskmaster.bench.workload;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.taskmaster.bench.load.LoadConnections;
import io.taskmaster.bench.target.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The parameters that all workloads of a run share: the load, and names that no other run uses. Thread-safe. */
public final class Scene {

    private final Load load;
    private final String run;
    private final ByteString data;

    /** Prepares a run, whose name becomes part of every group name. */
    public Scene(Load load, String run) {
        this.load = load;
        this.run = run;
        this.data = randomData(load.bytes());
    }

    public Load load() {
        return load;
    }

    /**
     * The data of every task: random, so that compression gains nothing, and shared, so that producing it costs
     * nothing.
     */
    public ByteString data() {
        return data;
    }

    public static ByteString randomData(int bytes) {
        byte[] data = new byte[bytes];
        new SplittableRandom(1).nextBytes(data);
        return UnsafeByteOperations.unsafeWrap(data);
    }

    public LoadConnections connect(Target target) {
        return LoadConnections.open(target.address(), load.clients());
    }

    /** Returns the queues of a row, spread over the groups of the run. */
    List<QueueAddress> queues(String row) {
        List<QueueAddress> queues = new ArrayList<>();
        for (int queue = 0; queue < load.queues(); queue++) {
            for (int group = 0; group < load.groups(); group++) {
                queues.add(queue(group, row + "-" + queue));
            }
        }
        return queues;
    }

    /** Returns one queue in the first group. */
    public QueueAddress queue(String name) {
        return queue(0, name);
    }

    /** Returns the name of a group that only this run uses. */
    public ByteString group(String name) {
        return ByteString.copyFromUtf8("bench-" + run + "-" + name);
    }

    /** Returns one queue in one of the run's groups, counted from 0. */
    public QueueAddress queue(int group, String name) {
        return new QueueAddress(group(String.valueOf(group)), ByteString.copyFromUtf8(name.replace(' ', '-')));
    }
}
