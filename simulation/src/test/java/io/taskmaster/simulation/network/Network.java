package io.taskmaster.simulation;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.taskmaster.testkit.history.Outcome;
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

/** What is between clients and nodes. Calls do not wait for each other. Single-threaded. */
final class Network {

    private final World world;
    private NetworkFaults faults;

    Network(World world, NetworkFaults faults) {
        this.world = world;
        this.faults = faults;
    }

    NetworkFaults faults() {
        return faults;
    }

    void heal() {
        faults = NetworkFaults.NONE;
    }

    long latency() {
        long usual = world.logUniform(Math.max(1, faults.latencyMicros() / 4), faults.latencyMicros() * 2);
        return world.chance(faults.slow()) ? usual * world.random.nextInt(2, 50) : usual;
    }

    /**
     * Asks a node.
     *
     * @param request of the contract
     * @param told is told once, at the deadline at the latest
     */
    void call(NodeProcess node, Message request, long deadlineMicros, Consumer<Outcome> told) {
        switch (request) {
            case UpdateRequest update ->
                send(
                        node,
                        TaskMasterGrpc.getUpdateTasksMethod(),
                        update,
                        !update.getRequestId().isEmpty(),
                        deadlineMicros,
                        told);
            case LeaseRequest lease ->
                send(node, TaskMasterGrpc.getLeaseTasksMethod(), lease, false, deadlineMicros, told);
            case BatchRequest batch -> send(node, TaskMasterGrpc.getBatchMethod(), batch, false, deadlineMicros, told);
            case ListRequest list -> send(node, TaskMasterGrpc.getListQueuesMethod(), list, true, deadlineMicros, told);
            case DescribeRequest describe ->
                send(node, TaskMasterGrpc.getDescribeQueuesMethod(), describe, true, deadlineMicros, told);
            case PeekRequest peek -> send(node, TaskMasterGrpc.getPeekTasksMethod(), peek, true, deadlineMicros, told);
            case DeleteRequest delete ->
                send(node, TaskMasterGrpc.getDeleteQueuesMethod(), delete, false, deadlineMicros, told);
            case ConfigureRequest configure ->
                send(node, TaskMasterGrpc.getConfigureQueueMethod(), configure, false, deadlineMicros, told);
            default -> throw new IllegalArgumentException("request: " + request + " (expected: one of the contract)");
        }
    }

    private <Q extends Message, P extends Message> void send(
            NodeProcess node,
            MethodDescriptor<Q, P> method,
            Q request,
            boolean repeatable,
            long deadlineMicros,
            Consumer<Outcome> told) {
        new Wire<>(world, this, node, method, request, told).send(repeatable, deadlineMicros);
    }
}
