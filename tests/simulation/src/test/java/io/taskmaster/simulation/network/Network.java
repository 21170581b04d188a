package io.taskmaster.simulation.network;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.taskmaster.simulation.world.World;
import io.taskmaster.testkit.history.RecordedOutcome;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureRequest;
import io.taskmaster.v1.DeleteRequest;
import io.taskmaster.v1.DescribeRequest;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.ListRequest;
import io.taskmaster.v1.PeekRequest;
import io.taskmaster.v1.TaskMasterGrpc;
import io.taskmaster.v1.UpdateRequest;
import java.util.function.Consumer;

/**
 * The network between clients and hosts. Calls are independent of each other. Single-threaded: owned by the simulation.
 */
public final class Network {

    private final World world;
    private NetworkOdds faults;

    public Network(World world, NetworkOdds faults) {
        this.world = world;
        this.faults = faults;
    }

    public NetworkOdds faults() {
        return faults;
    }

    public void heal() {
        faults = NetworkOdds.NONE;
    }

    long latency() {
        long usual = world.logUniform(Math.max(1, faults.latencyMicros() / 4), faults.latencyMicros() * 2);
        return world.chance(faults.slow()) ? usual * world.random.nextInt(2, 50) : usual;
    }

    /**
     * Sends a request of the contract to a host. The consumer receives the outcome exactly once, at the deadline at the
     * latest.
     */
    public void call(Host host, Message request, long deadlineMicros, Consumer<RecordedOutcome> result) {
        switch (request) {
            case UpdateRequest update ->
                send(
                        host,
                        TaskMasterGrpc.getUpdateTasksMethod(),
                        update,
                        !update.getRequestId().isEmpty(),
                        deadlineMicros,
                        result);
            case LeaseRequest lease ->
                send(host, TaskMasterGrpc.getLeaseTasksMethod(), lease, false, deadlineMicros, result);
            case BatchRequest batch ->
                send(host, TaskMasterGrpc.getBatchMethod(), batch, false, deadlineMicros, result);
            case ListRequest list ->
                send(host, TaskMasterGrpc.getListQueuesMethod(), list, true, deadlineMicros, result);
            case DescribeRequest describe ->
                send(host, TaskMasterGrpc.getDescribeQueuesMethod(), describe, true, deadlineMicros, result);
            case PeekRequest peek ->
                send(host, TaskMasterGrpc.getPeekTasksMethod(), peek, true, deadlineMicros, result);
            case DeleteRequest delete ->
                send(host, TaskMasterGrpc.getDeleteQueuesMethod(), delete, false, deadlineMicros, result);
            case ConfigureRequest configure ->
                send(host, TaskMasterGrpc.getConfigureQueueMethod(), configure, false, deadlineMicros, result);
            default -> throw new IllegalArgumentException("request: " + request + " (expected: one of the contract)");
        }
    }

    private <Q extends Message, P extends Message> void send(
            Host host,
            MethodDescriptor<Q, P> method,
            Q request,
            boolean repeatable,
            long deadlineMicros,
            Consumer<RecordedOutcome> result) {
        new CallInTransit<>(world, this, host, method, request, result).send(repeatable, deadlineMicros);
    }
}
