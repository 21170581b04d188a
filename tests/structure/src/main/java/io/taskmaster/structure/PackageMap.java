package io.taskmaster.structure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The package map of docs/architecture.md: the arrows between packages, as Mermaid charts. {@code .ci/package-map} writes
 * it, and a test compares it. Stateless.
 */
final class PackageMap {

    /** The page that has the map, relative to the root of the repository. */
    static final String PAGE = "docs/architecture.md";

    private static final Pattern PLACE =
            Pattern.compile("(<!-- package-map:begin -->\n)(.*?)(<!-- package-map:end -->)", Pattern.DOTALL);

    /** The charts: a title, the common prefix, and the packages that a chart leaves out. */
    private record Chart(String title, String prefix, Predicate<String> isShown) {}

    private static final List<Chart> CHARTS = List.of(
            new Chart("The server", "io.taskmaster.server", name -> depth(name, "io.taskmaster.server") <= 1),
            new Chart("The engine", "io.taskmaster.server.engine", name -> true),
            new Chart("A partition", "io.taskmaster.server.partition", name -> true),
            new Chart("The stage library", "io.taskmaster.stage", name -> true));

    private PackageMap() {}

    /** The root of the repository as the only argument; else the current folder. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments.length == 0 ? "." : arguments[0]).toAbsolutePath().normalize();
        Path page = root.resolve(PAGE);
        String map = of(SourceTree.read(root));
        Matcher place = PLACE.matcher(Files.readString(page, UTF_8));
        Files.writeString(page, place.replaceFirst(found -> Matcher.quoteReplacement(found.group(1) + map + found.group(3))));
    }

    /** Returns the map of these sources. */
    static String of(SourceTree sources) {
        PackageGraph graph = PackageGraph.of(sources);
        StringBuilder map = new StringBuilder();
        for (Chart chart : CHARTS) {
            TreeSet<String> shown = new TreeSet<>(graph.arrows().keySet());
            shown.removeIf(name -> !(name.equals(chart.prefix) || name.startsWith(chart.prefix + "."))
                    || !chart.isShown.test(name));
            map.append(chart.title)
                    .append(":\n\n```mermaid\n")
                    .append(graph.toMermaid(chart.prefix, shown))
                    .append("```\n\n");
        }
        return map.toString();
    }

    /** Returns the map that a page has; empty if it has no place for one. */
    static String in(String page) {
        Matcher place = PLACE.matcher(page);
        return place.find() ? place.group(2) : "";
    }

    private static long depth(String name, String prefix) {
        return name.substring(prefix.length()).chars().filter(c -> c == '.').count();
    }
}
