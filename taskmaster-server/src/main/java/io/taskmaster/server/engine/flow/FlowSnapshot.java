package io.taskmaster.server.engine.flow;

import io.taskmaster.model.FamilyName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How tasks flow through a partition, or several. Counts are of what happened since it was opened, sizes are those of now. Immutable.
 */
public record FlowSnapshot(List<Node> nodes, List<Edge> edges) {

    /** Of a partition that is not there. */
    public static final FlowSnapshot NONE = new FlowSnapshot(List.of(), List.of());

    public FlowSnapshot {
        nodes = List.copyOf(nodes);
        edges = List.copyOf(edges);
    }

    /** Of several partitions: what is named alike adds up. */
    public static FlowSnapshot sum(Collection<FlowSnapshot> parts) {
        Map<FamilyName, Node> nodes = new LinkedHashMap<>();
        Map<Ends, Edge> edges = new LinkedHashMap<>();
        for (FlowSnapshot part : parts) {
            part.nodes.forEach(node -> nodes.merge(node.name, node, Node::plus));
            part.edges.forEach(edge -> edges.merge(new Ends(edge.from, edge.to), edge, Edge::plus));
        }
        return new FlowSnapshot(new ArrayList<>(nodes.values()), new ArrayList<>(edges.values()));
    }

    private record Ends(FamilyName from, FamilyName to) {}

    /**
     * A family of queues.
     *
     * @param queues how many there are
     * @param available with time counted, as leased and delayed
     * @param leases without renewals
     * @param expired leases that ran out
     * @param ended tasks that were dequeued by updates that enqueued nothing
     */
    public record Node(
            FamilyName name,
            long queues,
            long available,
            long leased,
            long delayed,
            long enqueued,
            long leases,
            long dequeued,
            long expired,
            long ended) {

        private Node plus(Node other) {
            return new Node(
                    name,
                    queues + other.queues,
                    available + other.available,
                    leased + other.leased,
                    delayed + other.delayed,
                    enqueued + other.enqueued,
                    leases + other.leases,
                    dequeued + other.dequeued,
                    expired + other.expired,
                    ended + other.ended);
        }
    }

    /**
     * Hand-offs from one family to another, or to itself.
     *
     * @param tasks that were enqueued in {@code to} by updates that dequeued from {@code from}: shares of tasks, where other families gave them, too
     */
    public record Edge(FamilyName from, FamilyName to, double tasks) {

        private Edge plus(Edge other) {
            return new Edge(from, to, tasks + other.tasks);
        }
    }
}
