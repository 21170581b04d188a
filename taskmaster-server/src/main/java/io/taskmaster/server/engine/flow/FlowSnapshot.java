package io.taskmaster.server.engine.flow;

import io.taskmaster.command.Counts;
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
 * The flow of tasks through a partition, or several. Counts are those since it was opened, sizes are the present ones.
 * Immutable.
 */
public record FlowSnapshot(List<Node> nodes, List<Edge> edges) {

    /** The snapshot of a partition that is not there. */
    public static final FlowSnapshot NONE = new FlowSnapshot(List.of(), List.of());

    public FlowSnapshot {
        nodes = List.copyOf(nodes);
        edges = List.copyOf(edges);
    }

    /** Returns the sum over several partitions: families of the same name are added up. */
    public static FlowSnapshot sum(Collection<FlowSnapshot> parts) {
        Map<FamilyName, Node> nodes = new LinkedHashMap<>();
        Map<Ends, Edge> edges = new LinkedHashMap<>();
        for (FlowSnapshot part : parts) {
            part.nodes.forEach(node -> nodes.merge(node.name, node, Node::plus));
            part.edges.forEach(edge -> edges.merge(new Ends(edge.from, edge.to), edge, Edge::plus));
        }
        return new FlowSnapshot(new ArrayList<>(nodes.values()), new ArrayList<>(edges.values()));
    }

    /** Returns a bounded excerpt: the busiest families, and the largest hand-offs between these. */
    public Excerpt excerpt(int maxFamilies, int maxHandOffs) {
        List<Node> shownNodes =
                first(nodes, Comparator.comparingLong(Node::operations).thenComparingLong(Node::tasks), maxFamilies);
        Set<FamilyName> names = shownNodes.stream().map(Node::name).collect(Collectors.toSet());
        List<Edge> between = edges.stream()
                .filter(edge -> names.contains(edge.from) && names.contains(edge.to))
                .toList();
        List<Edge> shownEdges = first(between, Comparator.comparingDouble(Edge::tasks), maxHandOffs);
        return new Excerpt(
                new FlowSnapshot(shownNodes, shownEdges),
                nodes.size() - shownNodes.size(),
                edges.size() - shownEdges.size());
    }

    /** Returns all in their order, or the largest of them if they are too many. */
    private static <T> List<T> first(List<T> all, Comparator<T> bySize, int max) {
        return all.size() <= max
                ? all
                : all.stream().sorted(bySize.reversed()).limit(max).toList();
    }

    /**
     * An excerpt of a snapshot.
     *
     * @param families the number of families left out
     * @param handOffs the number of hand-offs left out
     */
    public record Excerpt(FlowSnapshot flow, int families, int handOffs) {}

    /** Returns the sum over all queues, under the name of those that have no other family. */
    public Node total() {
        return nodes.stream().reduce(new Node(FamilyName.OTHERS, 0, 0, 0, 0, 0, 0, 0, 0, 0), Node::plus);
    }

    private record Ends(FamilyName from, FamilyName to) {}

    /**
     * A family of queues.
     *
     * @param queues the number of queues
     * @param available with time counted, as leased and delayed
     * @param leases without renewals
     * @param expired leases that expired
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

        /** Makes one in which nothing waits. */
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

        /** Returns the counts of what happened to tasks. */
        public Counts counts() {
            return new Counts(enqueued, leases, dequeued, expired);
        }

        private long operations() {
            return counts().operations();
        }

        /** The number of tasks it holds. */
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
     * The hand-offs from one family to another, or to itself.
     *
     * @param tasks the tasks that were enqueued in {@code to} by updates that dequeued from {@code from}: fractions of
     *     tasks, where other families gave, too
     */
    public record Edge(FamilyName from, FamilyName to, double tasks) {

        private Edge plus(Edge other) {
            return new Edge(from, to, tasks + other.tasks);
        }
    }
}
