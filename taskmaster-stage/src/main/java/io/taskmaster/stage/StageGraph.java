package io.taskmaster.stage;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

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
        CALL("(\"", "\")", "ellipse");

        private final String open;
        private final String close;
        private final String shape;

        Kind(String open, String close, String shape) {
            this.open = open;
            this.close = close;
            this.shape = shape;
        }
    }

    /** Something with a name. */
    public record Node(String name, Kind kind) {}

    /** By the names of two nodes. */
    public record Edge(String from, String to) {}

    public StageGraph {
        nodes = List.copyOf(nodes);
        edges = List.copyOf(edges);
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

    /** Both, as one. */
    public StageGraph and(StageGraph other) {
        List<Node> allNodes = new ArrayList<>(nodes);
        allNodes.addAll(other.nodes);
        List<Edge> allEdges = new ArrayList<>(edges);
        allEdges.addAll(other.edges);
        return new StageGraph(allNodes, allEdges);
    }

    /** With one more edge. */
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
            text.append("    n%d%s%s%s\n".formatted(i, node.kind().open, mermaidText(node.name()), node.kind().close));
        }
        edges.forEach(edge -> text.append("    n%d --> n%d\n".formatted(number(edge.from()), number(edge.to()))));
        return text.toString();
    }

    /** As a directed graph in DOT, from left to right. */
    public String dot() {
        StringBuilder text = new StringBuilder("digraph stages {\n    rankdir=LR;\n");
        for (int i = 0; i < nodes.size(); i++) {
            Node node = nodes.get(i);
            text.append("    n%d [label=\"%s\", shape=%s];\n".formatted(i, dotText(node.name()), node.kind().shape));
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
