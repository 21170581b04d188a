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
 * Stages, and which of them hands on to which, as a picture for people: in the text forms that Mermaid and Graphviz draw. Nodes are known by their
 * name. Immutable.
 */
public record StageGraph(List<Node> nodes, List<Edge> edges) {

    /** What a node is. */
    public enum Kind {
        /** A stage that leases the tasks of a durable queue. */
        STAGE("[\"", "\"]", "box"),
        /** A durable queue that no stage here works on. */
        QUEUE("[(\"", "\")]", "cylinder"),
        /** A local stage behind a boundary. */
        LOCAL("[[\"", "\"]]", "component"),
        /** A local stage that is called. */
        CALL("(\"", "\")", "ellipse"),
        /** Nothing that is there: a stage that is in another picture, or is added later, or a name that is misspelt. */
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
     * Something with a name.
     *
     * @param sink what events for it are offered to; absent: it is known by its name alone
     */
    public record Node(String name, Kind kind, Optional<Sink<?>> sink) {

        public Node(String name, Kind kind) {
            this(name, kind, Optional.empty());
        }

        private boolean isMissing() {
            return kind == Kind.MISSING;
        }

        /** Whether another is what is missing. */
        private boolean isFoundIn(Node other) {
            return sink.isPresent() ? sink.equals(other.sink) : name.equals(other.name);
        }

        private String label() {
            return isMissing() ? name + " - not here" : name;
        }
    }

    /** By the names of two nodes. */
    public record Edge(String from, String to) {}

    public StageGraph {
        nodes = List.copyOf(nodes);
        edges = edges.stream().distinct().toList();
        List<String> names = nodes.stream().map(Node::name).toList();
        if (new LinkedHashSet<>(names).size() < names.size()) {
            throw new IllegalArgumentException("nodes: %s (expected: each name once)".formatted(names));
        }
        for (Edge edge : edges) {
            if (!names.contains(edge.from()) || !names.contains(edge.to())) {
                throw new IllegalArgumentException(
                        "edge: %s to %s (expected: two of %s)".formatted(edge.from(), edge.to(), names));
            }
        }
    }

    /** Where an edge has a name that none of the nodes has, one that is {@linkplain Kind#MISSING missing} is added. */
    public static StageGraph of(List<Node> nodes, List<Edge> edges) {
        Set<String> names = nodes.stream().map(Node::name).collect(toCollection(HashSet::new));
        List<Node> all = new ArrayList<>(nodes);
        edges.stream()
                .flatMap(edge -> Stream.of(edge.from(), edge.to()))
                .filter(names::add)
                .forEach(name -> all.add(new Node(name, Kind.MISSING)));
        return new StageGraph(all, edges);
    }

    /** Both, as one: what one misses and the other has is found. */
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

    /** With one more edge, if it is not there. */
    public StageGraph and(String from, String to) {
        List<Edge> more = new ArrayList<>(edges);
        more.add(new Edge(from, to));
        return new StageGraph(nodes, more);
    }

    /** As a Mermaid flowchart, from left to right. */
    public String mermaid() {
        StringBuilder text = new StringBuilder("flowchart LR\n");
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            text.append("    n%d%s%s%s\n".formatted(i, node.kind().open, mermaidText(node.label()), node.kind().close));
        }
        edges.forEach(edge -> text.append("    n%d --> n%d\n".formatted(number(edge.from()), number(edge.to()))));
        return text.toString();
    }

    /** As a directed graph in DOT, from left to right. */
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

    /** Everything but letters, digits and a few harmless signs as an entity, which no syntax of Mermaid's can be mistaken for. */
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

    /** Backslashes and quotes are escaped; what cannot be seen is shown by its number. */
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
