package io.taskmaster.server.engine.flow;

import io.taskmaster.model.FamilyName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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

    /** As much of it as there is room for: the families in which most went on, and between these the hand-offs of most tasks. */
    public Excerpt excerpt(int maxFamilies, int maxHandOffs) {
        List<Node> shown =
                first(nodes, Comparator.comparingLong(Node::deeds).thenComparingLong(Node::tasks), maxFamilies);
        Set<FamilyName> names = shown.stream().map(Node::name).collect(Collectors.toSet());
        List<Edge> between = edges.stream()
                .filter(edge -> names.contains(edge.from) && names.contains(edge.to))
                .toList();
        List<Edge> shownEdges = first(between, Comparator.comparingDouble(Edge::tasks), maxHandOffs);
        return new Excerpt(
                new FlowSnapshot(shown, shownEdges), nodes.size() - shown.size(), edges.size() - shownEdges.size());
    }

    /** In their order; the largest of them, if they are too many. */
    private static <T> List<T> first(List<T> all, Comparator<T> bySize, int max) {
        return all.size() <= max
                ? all
                : all.stream().sorted(bySize.reversed()).limit(max).toList();
    }

    /**
     * A part of a snapshot.
     *
     * @param families so many are left out
     * @param handOffs likewise
     */
    public record Excerpt(FlowSnapshot flow, int families, int handOffs) {}

    /** All queues together, under the name of those that have no other family. */
    public Node total() {
        return nodes.stream().reduce(new Node(FamilyName.OTHERS, 0, 0, 0, 0, 0, 0, 0, 0, 0), Node::plus);
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
     * @param waits queues in which tasks wait, as of the last look
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
            long ended,
            Waits waits) {

        /** One in which nothing waits. */
        public Node(
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
            this(name, queues, available, leased, delayed, enqueued, leases, dequeued, expired, ended, Waits.NONE);
        }

        /** What happened to tasks. */
        public Counts counts() {
            return new Counts(enqueued, leases, dequeued, expired);
        }

        private long deeds() {
            return counts().deeds();
        }

        /** What there is. */
        long tasks() {
            return available + leased + delayed;
        }

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
                    ended + other.ended,
                    waits.plus(other.waits));
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
