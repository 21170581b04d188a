package io.taskmaster.structure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The package map of docs/architecture.md: the arrows between packages, as Mermaid charts. {@code .ci/package-map}
 * writes it, and a test compares it. Stateless.
 */
final class PackageMap {

    /** The page that has the map, relative to the root of the repository. */
    static final String PAGE = "docs/architecture.md";

    private static final Pattern PLACE =
            Pattern.compile("(<!-- package-map:begin -->\n)(.*?)(<!-- package-map:end -->)", Pattern.DOTALL);

    /**
     * A chart of the map.
     *
     * @param depth of the packages that are shown; those below them count as these
     */
    private record Chart(String title, String prefix, int depth) {}

    private static final List<Chart> CHARTS = List.of(
            new Chart("Everything", "io.taskmaster", 3),
            new Chart("The proxy, the lower storey", "io.taskmaster.proxy", 4),
            new Chart("The server", "io.taskmaster.server", 4),
            new Chart("The engine", "io.taskmaster.server.engine", 5),
            new Chart("A partition", "io.taskmaster.server.partition", 6),
            new Chart("The command line", "io.taskmaster.cli", 4),
            new Chart("The stage library", "io.taskmaster.stage", 4),
            new Chart("The test kit", "io.taskmaster.testkit", 4),
            new Chart("The harness of our own tests", "io.taskmaster.harness", 4),
            new Chart("The benchmarks", "io.taskmaster.bench", 4),
            new Chart("The examples", "io.taskmaster.examples", 4));

    private PackageMap() {}

    /** The root of the repository as the only argument; else the current folder. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments.length == 0 ? "." : arguments[0])
                .toAbsolutePath()
                .normalize();
        Path page = root.resolve(PAGE);
        String map = of(SourceTree.read(root));
        Matcher place = PLACE.matcher(Files.readString(page, UTF_8));
        Files.writeString(
                page, place.replaceFirst(found -> Matcher.quoteReplacement(found.group(1) + map + found.group(3))));
    }

    /** Returns the map of these sources. */
    static String of(SourceTree sources) {
        PackageGraph all = PackageGraph.of(sources);
        StringBuilder map = new StringBuilder();
        for (Chart chart : CHARTS) {
            PackageGraph graph = all.collapsedTo(chart.depth);
            TreeSet<String> shown = new TreeSet<>(graph.arrows().keySet());
            shown.removeIf(name -> !(name + ".").startsWith(chart.prefix + "."));
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
}
