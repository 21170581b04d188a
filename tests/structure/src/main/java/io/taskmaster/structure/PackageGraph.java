package io.taskmaster.structure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The packages of the repository and the arrows between them: one for each import, those of Javadoc included.
 * Immutable.
 *
 * @param arrows the packages that each package imports from, itself left out
 */
record PackageGraph(SortedMap<String, SortedSet<String>> arrows) {

    static PackageGraph of(SourceTree sources) {
        SortedMap<String, SortedSet<String>> arrows = new TreeMap<>();
        for (SourceFile file : sources.files()) {
            arrows.computeIfAbsent(file.packageName(), name -> new TreeSet<>()).addAll(file.imports());
        }
        arrows.forEach((name, imported) -> {
            imported.retainAll(arrows.keySet());
            imported.remove(name);
        });
        return new PackageGraph(arrows);
    }

    /** Returns the graph in which packages below another one of this depth count as that one. */
    PackageGraph collapsedTo(int depth) {
        SortedMap<String, SortedSet<String>> collapsed = new TreeMap<>();
        arrows.forEach((name, imported) -> {
            SortedSet<String> all = collapsed.computeIfAbsent(ancestor(name, depth), ancestor -> new TreeSet<>());
            imported.forEach(other -> all.add(ancestor(other, depth)));
        });
        collapsed.forEach((name, imported) -> imported.remove(name));
        return new PackageGraph(collapsed);
    }

    private static String ancestor(String name, int depth) {
        return Stream.of(name.split("\\.")).limit(depth).collect(Collectors.joining("."));
    }

    /** Returns the circles: sets of packages each of which reaches each other one. */
    List<SortedSet<String>> circles() {
        return new Circles().find();
    }

    /** Tarjan's search for strongly connected components. */
    private final class Circles {

        private final Map<String, Integer> numbers = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> path = new ArrayDeque<>();
        private final List<SortedSet<String>> found = new ArrayList<>();

        List<SortedSet<String>> find() {
            for (String name : arrows.keySet()) {
                if (!numbers.containsKey(name)) {
                    visit(name);
                }
            }
            return found;
        }

        private void visit(String name) {
            numbers.put(name, numbers.size());
            lowest.put(name, numbers.get(name));
            path.push(name);
            for (String next : arrows.getOrDefault(name, new TreeSet<>())) {
                if (!numbers.containsKey(next)) {
                    visit(next);
                    lowest.merge(name, lowest.get(next), Math::min);
                } else if (path.contains(next)) {
                    lowest.merge(name, numbers.get(next), Math::min);
                }
            }
            if (lowest.get(name).equals(numbers.get(name))) {
                SortedSet<String> circle = new TreeSet<>();
                String last;
                do {
                    last = path.pop();
                    circle.add(last);
                } while (!last.equals(name));
                if (circle.size() > 1) {
                    found.add(circle);
                }
            }
        }
    }

    /**
     * Returns the arrows between these packages as a Mermaid flowchart, without those that follow from others: an arrow
     * is left out where a longer way leads to the same package.
     */
    String toMermaid(String prefix, Set<String> shown) {
        StringBuilder chart = new StringBuilder("flowchart TD\n");
        for (String from : shown) {
            for (String to : arrows.getOrDefault(from, new TreeSet<>())) {
                if (shown.contains(to) && !isReachable(from, to, shown)) {
                    chart.append("    ")
                            .append(label(prefix, from))
                            .append(" --> ")
                            .append(label(prefix, to))
                            .append('\n');
                }
            }
        }
        return chart.toString();
    }

    /** Returns whether a way of at least two arrows leads from a package to another. */
    private boolean isReachable(String from, String to, Set<String> shown) {
        return arrows.getOrDefault(from, new TreeSet<>()).stream()
                .filter(shown::contains)
                .filter(between -> !between.equals(to))
                .anyMatch(between -> reaches(between, to, shown));
    }

    private boolean reaches(String from, String to, Set<String> shown) {
        Deque<String> open = new ArrayDeque<>(List.of(from));
        Set<String> visited = new HashSet<>(open);
        while (!open.isEmpty()) {
            SortedSet<String> next = arrows.getOrDefault(open.pop(), new TreeSet<>());
            if (next.contains(to)) {
                return true;
            }
            next.stream().filter(shown::contains).filter(visited::add).forEach(open::push);
        }
        return false;
    }

    private static String label(String prefix, String name) {
        String label =
                name.equals(prefix) ? name.substring(name.lastIndexOf('.') + 1) : name.substring(prefix.length() + 1);
        return label.replace('.', '_') + "[" + label + "]";
    }
}
