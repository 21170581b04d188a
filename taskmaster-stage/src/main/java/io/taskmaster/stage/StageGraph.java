package io.taskmaster.stage;

import static java.util.stream.Collectors.toCollection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A graph of stages and their hand-offs, to be drawn by Mermaid or Graphviz. Nodes are identified by name. Immutable.
 */
public record StageGraph(List<Node> nodes, List<Edge> edges) {

    /** The kind of a node. */
    public enum Kind {
        /** A stage that leases the tasks of a durable queue. */
        STAGE("[\"", "\"]", "box"),
        /** A durable queue that no stage of the graph leases from. */
        QUEUE("[(\"", "\")]", "cylinder"),
        /** A local stage with a boundary. */
        LOCAL("[[\"", "\"]]", "component"),
        /** A local stage without a boundary, which is a plain call. */
        CALL("(\"", "\")", "ellipse"),
        /** A node that is not in the graph: a stage of another graph, one that is added later, or a misspelt name. */
        MISSING("{{\"", "\"}}", "hexagon");

        private final String open;
        private final String close;
        private final String shape;

        Kind(String open, String close, String shape) {
            this.open = open;
            this.close = close;
            this.shape = shape;
        }
    }

    /**
     * A node.
     *
     * @param name the name, unique in the graph
     * @param kind the kind
     * @param sink the sink that events for it are offered to; absent: it is identified by its name alone
     */
    public record Node(String name, Kind kind, Optional<Sink<?>> sink) {

        public Node(String name, Kind kind) {
            this(name, kind, Optional.empty());
        }

        private boolean isMissing() {
            return kind == Kind.MISSING;
        }

        /** Returns whether another node is the one that is missing. */
        private boolean isFoundIn(Node other) {
            return sink.isPresent() ? sink.equals(other.sink) : name.equals(other.name);
        }

        private String label() {
            return isMissing() ? name + " - elsewhere" : name;
        }
    }

    /** An edge between two nodes, by their names. */
    public record Edge(String from, String to) {}

    public StageGraph {
        nodes = List.copyOf(nodes);
        edges = edges.stream().distinct().toList();
        List<String> names = nodes.stream().map(Node::name).toList();
        if (new LinkedHashSet<>(names).size() < names.size()) {
            throw new IllegalArgumentException("nodes: %s (expected: unique names)".formatted(names));
        }
        for (Edge edge : edges) {
            if (!names.contains(edge.from()) || !names.contains(edge.to())) {
                throw new IllegalArgumentException(
                        "edge: %s to %s (expected: two nodes of %s)".formatted(edge.from(), edge.to(), names));
            }
        }
    }

    /**
     * Creates a graph. A node is added as {@linkplain Kind#MISSING missing} for each name of an edge that no node has.
     */
    public static StageGraph of(List<Node> nodes, List<Edge> edges) {
        Set<String> names = nodes.stream().map(Node::name).collect(toCollection(HashSet::new));
        List<Node> all = new ArrayList<>(nodes);
        edges.stream()
                .flatMap(edge -> Stream.of(edge.from(), edge.to()))
                .filter(names::add)
                .forEach(name -> all.add(new Node(name, Kind.MISSING)));
        return new StageGraph(all, edges);
    }

    /** Returns the union of two graphs. A node that is missing in one of them is replaced by that of the other. */
    public StageGraph and(StageGraph other) {
        List<Node> both = Stream.concat(nodes.stream(), other.nodes.stream()).toList();
        List<Node> all =
                new ArrayList<>(both.stream().filter(node -> !node.isMissing()).toList());
        Map<String, String> found = new HashMap<>();
        for (Node missing : both.stream().filter(Node::isMissing).distinct().toList()) {
            all.stream()
                    .filter(missing::isFoundIn)
                    .findFirst()
                    .ifPresentOrElse(node -> found.put(missing.name(), node.name()), () -> all.add(missing));
        }
        return new StageGraph(
                all,
                Stream.concat(edges.stream(), other.edges.stream())
                        .map(edge -> new Edge(edge.from(), found.getOrDefault(edge.to(), edge.to())))
                        .toList());
    }

    /** Returns the graph with one more edge, unless it is there. */
    public StageGraph and(String from, String to) {
        List<Edge> more = new ArrayList<>(edges);
        more.add(new Edge(from, to));
        return new StageGraph(nodes, more);
    }

    /** Returns a Mermaid flowchart, from left to right. */
    public String mermaid() {
        StringBuilder text = new StringBuilder("flowchart LR\n");
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            text.append("    n%d%s%s%s\n".formatted(i, node.kind().open, mermaidText(node.label()), node.kind().close));
        }
        edges.forEach(edge -> text.append("    n%d --> n%d\n".formatted(number(edge.from()), number(edge.to()))));
        return text.toString();
    }

    /** Returns a directed graph in DOT, from left to right. */
    public String dot() {
        StringBuilder text = new StringBuilder("digraph stages {\n    rankdir=LR;\n");
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            text.append("    n%d [label=\"%s\", shape=%s];\n".formatted(i, dotText(node.label()), node.kind().shape));
        }
        edges.forEach(edge -> text.append("    n%d -> n%d;\n".formatted(number(edge.from()), number(edge.to()))));
        return text.append("}\n").toString();
    }

    private int number(String name) {
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new AssertionError(name);
    }

    /**
     * Encodes all characters but letters, digits and a few harmless signs as entities, so that they have no meaning in
     * Mermaid's syntax.
     */
    private static String mermaidText(String name) {
        StringBuilder text = new StringBuilder();
        name.codePoints().forEach(c -> {
            if (Character.isLetterOrDigit(c) || " -_./*".indexOf(c) >= 0) {
                text.appendCodePoint(c);
            } else {
                text.append("#").append(c).append(';');
            }
        });
        return text.toString();
    }

    /** Escapes backslashes and quotes, and shows control characters by their number. */
    private static String dotText(String name) {
        StringBuilder text = new StringBuilder();
        name.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                text.append('\\').appendCodePoint(c);
            } else if (Character.isISOControl(c)) {
                text.append(String.format(Locale.ROOT, "\\\\x%02x", c));
            } else {
                text.appendCodePoint(c);
            }
        });
        return text.toString();
    }
}
