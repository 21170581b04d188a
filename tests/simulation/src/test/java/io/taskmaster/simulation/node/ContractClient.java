package io.taskmaster.simulation.node;

import com.google.protobuf.Message;
import com.google.protobuf.util.Durations;
import io.taskmaster.simulation.load.RandomRequests;
import io.taskmaster.simulation.load.Recorder;
import io.taskmaster.simulation.world.World;
import io.taskmaster.testkit.history.RecordedOutcome;
import io.taskmaster.v1.BatchReply;
import io.taskmaster.v1.BatchRequest;
import io.taskmaster.v1.ConfigureReply;
import io.taskmaster.v1.DeleteReply;
import io.taskmaster.v1.LeaseReply;
import io.taskmaster.v1.LeaseRequest;
import io.taskmaster.v1.UpdateReply;
import io.taskmaster.v1.UpdateRequest;
import java.util.List;

/**
 * A client that sends one request after the other to any node that listens. It does not always wait for the reply, and
 * repeats requests that have a request id and an unknown outcome. Single-threaded: owned by the simulation.
 */
final class ContractClient {

    private static final long MAX_TIMEOUT_MICROS = 3_000_000;

    private final World world;
    private final String name;
    private final Cluster cluster;
    private final RandomRequests requests;
    private final Recorder recorder;

    ContractClient(World world, String name, Cluster cluster, RandomRequests requests, Recorder recorder) {
        this.world = world;
        this.name = name;
        this.cluster = cluster;
        this.requests = requests;
        this.recorder = recorder;
    }

    void scheduleCall() {
        boolean rests = world.chance(.03);
        world.in(rests ? world.logUniform(20_000, 600_000) : world.logUniform(50, 8_000), this::ask);
    }

    private void ask() {
        if (cluster.isOver()) {
            return;
        }
        List<NodeProcess> listening = cluster.nodesThatAnswer();
        if (listening.isEmpty()) {
            scheduleCall();
        } else {
            ask(world.oneOf(listening), requests.next());
        }
    }

    private void ask(NodeProcess node, Message request) {
        int number = recorder.invoked(name, request);
        world.log(() -> name + " asks " + node.process().name() + " (" + number + "): " + oneLine(request));
        long waitMicros =
                request instanceof LeaseRequest lease && lease.hasWait() ? Durations.toMicros(lease.getWait()) : 0;
        long timeoutMicros = world.chance(cluster.network().faults().shortTimeout())
                ? world.logUniform(500, 50_000)
                : waitMicros + world.logUniform(50_000, MAX_TIMEOUT_MICROS);
        long invokedMicros = world.micros();
        cluster.network().call(node, request, timeoutMicros, recordedOutcome -> {
            recorder.completed(number, asFarAsPromised(recordedOutcome, request, node, invokedMicros));
            completed(number, request, recordedOutcome);
        });
    }

    /**
     * Returns the outcome as far as the contract lets a client rely on it: a read from a deposed node, and a lease over
     * all groups that lost the leases of one partition, count as unknown.
     */
    private static RecordedOutcome asFarAsPromised(
            RecordedOutcome recordedOutcome, Message request, NodeProcess node, long invokedMicros) {
        if (!(recordedOutcome instanceof RecordedOutcome.Replied replied)) {
            return recordedOutcome;
        }
        if (isReadReply(replied.reply()) && node.isStaleSince(invokedMicros)) {
            return new RecordedOutcome.Unknown("OK", "STALE");
        }
        if (leasesOverAllGroups(request) && node.hasLeasedUnseenSince(invokedMicros)) {
            return new RecordedOutcome.Unknown("OK", "LEASED_UNSEEN");
        }
        return recordedOutcome;
    }

    private static boolean leasesOverAllGroups(Message request) {
        return switch (request) {
            case LeaseRequest lease -> lease.getQueues().getAllGroups();
            case BatchRequest batch ->
                batch.getOperationsList().stream()
                        .anyMatch(operation -> operation.hasLease()
                                && operation.getLease().getQueues().getAllGroups());
            default -> false;
        };
    }

    /** Returns whether the reply may have been given without waiting for the log. */
    private static boolean isReadReply(Message reply) {
        return switch (reply) {
            case LeaseReply leased -> leased.getTasksCount() == 0;
            case BatchReply batch ->
                batch.getResultsList().stream()
                        .anyMatch(
                                result -> result.hasLease() && result.getLease().getTasksCount() == 0);
            case UpdateReply _, DeleteReply _, ConfigureReply _ -> false;
            default -> true;
        };
    }

    private void completed(int number, Message request, RecordedOutcome recordedOutcome) {
        world.log(() -> name + " is told (" + number + "): " + oneLine(recordedOutcome));
        switch (recordedOutcome) {
            case RecordedOutcome.Replied replied -> requests.observe(request, replied.reply());
            case RecordedOutcome.Failed _ -> {}
            case RecordedOutcome.Unknown _ -> {
                List<NodeProcess> listening = cluster.nodesThatAnswer();
                if (request instanceof UpdateRequest update
                        && !update.getRequestId().isEmpty()
                        && world.chance(.8)
                        && !listening.isEmpty()
                        && !cluster.isOver()) {
                    world.in(world.logUniform(50, 100_000), () -> ask(world.oneOf(listening), request));
                    return;
                }
            }
        }
        scheduleCall();
    }

    static String oneLine(Object message) {
        return String.join(" ", message.toString().split("\\s+"));
    }
}
