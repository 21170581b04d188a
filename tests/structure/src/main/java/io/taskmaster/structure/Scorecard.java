package io.taskmaster.structure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The scorecard of the sources: the figures that the gates of the build hold. {@code .ci/scorecard} prints it.
 * Immutable.
 */
record Scorecard(SourceTree sources) {

    static final int MAX_FILES = 25;
    static final int MAX_LINES = 500;
    static final int MAX_METHOD_LINES = 60;
    static final int MAX_PARAMETERS = 7;

    /** The first words of a doc that make a riddle of it. */
    private static final Pattern RIDDLE = Pattern.compile("(What|Who|Where|How|Which|Whose|That|When|Whether)\\b.*");

    /** The words that name no actor. */
    private static final Pattern NAMELESS =
            Pattern.compile("\\b(somebody|nobody|whoever|anybody|someone|anyone)\\b", Pattern.CASE_INSENSITIVE);

    /** The root of the repository as the only argument; else the current folder. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments.length == 0 ? "." : arguments[0])
                .toAbsolutePath()
                .normalize();
        System.out.print(new Scorecard(SourceTree.read(root)).print());
    }

    /** Returns the packages of more than {@value #MAX_FILES} files, with the number of their files. */
    List<String> largePackages() {
        SortedMap<String, Integer> sizes = new TreeMap<>();
        sources.files().forEach(file -> sizes.merge(file.packageName(), 1, Integer::sum));
        return sizes.entrySet().stream()
                .filter(size -> size.getValue() > MAX_FILES)
                .map(size -> size.getKey() + ": " + size.getValue())
                .toList();
    }

    List<SortedSet<String>> circles() {
        return PackageGraph.of(sources).circles();
    }

    List<String> longFiles() {
        return sources.files().stream()
                .filter(file -> file.lines() > MAX_LINES)
                .map(file -> file.path() + ": " + file.lines())
                .toList();
    }

    List<String> longMethods() {
        return methods(method -> method.lines() > MAX_METHOD_LINES);
    }

    /** Returns the constructors of more than {@value #MAX_PARAMETERS} parameters, those of records left out. */
    List<String> wideConstructors() {
        return methods(
                method -> method.isConstructor() && !method.isOfRecord() && method.parameters() > MAX_PARAMETERS);
    }

    private List<String> methods(Predicate<SourceFile.Method> chosen) {
        return sources.files().stream()
                .flatMap(file ->
                        file.methods().stream().filter(chosen).map(method -> file.path() + ": " + method.name()))
                .toList();
    }

    /** Returns the docs of types that open with a riddle. */
    List<String> riddles() {
        return docs(doc -> doc.ofType() && RIDDLE.matcher(doc.text()).matches());
    }

    /** Returns the docs that leave an actor without a name. */
    List<String> namelessActors() {
        return docs(doc -> NAMELESS.matcher(doc.text()).find());
    }

    private List<String> docs(Predicate<SourceFile.Doc> chosen) {
        return sources.files().stream()
                .flatMap(file -> file.docs().stream().filter(chosen).map(doc -> file.path() + ":" + doc.line()))
                .toList();
    }

    /** Returns the simple names of types that more than one package has, with these packages. */
    SortedMap<String, SortedSet<String>> duplicateNames() {
        SortedMap<String, SortedSet<String>> packages = new TreeMap<>();
        for (SourceFile file : sources.files()) {
            for (String type : file.types()) {
                packages.computeIfAbsent(type, name -> new TreeSet<>()).add(file.packageName());
            }
        }
        packages.values().removeIf(all -> all.size() == 1);
        return packages;
    }

    private String print() {
        List<Integer> lines =
                sources.files().stream().map(SourceFile::lines).sorted().toList();
        int all = lines.stream().mapToInt(Integer::intValue).sum();
        int comments =
                sources.files().stream().mapToInt(SourceFile::commentLines).sum();
        List<String> rows = new ArrayList<>();
        rows.add(row("main source files", lines.size()));
        rows.add(row("lines", all));
        rows.add(row("lines of the median file", lines.get(lines.size() / 2)));
        rows.add(row("lines of the file at 90 %", lines.get(lines.size() * 9 / 10)));
        rows.add("%-60s %5.1f%n".formatted("// comments, % of lines", 100.0 * comments / all));
        rows.add(row("packages of more than 25 files", largePackages()));
        rows.add(row("circles of packages", circles()));
        rows.add(row("files of more than 500 lines", longFiles()));
        rows.add(row("methods of more than 60 lines", longMethods()));
        rows.add(row("constructors of more than 7 parameters, records aside", wideConstructors()));
        rows.add(row("docs of types that open with a riddle", riddles()));
        rows.add(row("docs with an actor without a name", namelessActors()));
        rows.add(row(
                "names of types that several packages have", duplicateNames().keySet()));
        return String.join("", rows);
    }

    private static String row(String figure, int value) {
        return "%-60s %5d%n".formatted(figure, value);
    }

    private static String row(String figure, Collection<?> found) {
        StringBuilder row = new StringBuilder(row(figure, found.size()));
        found.forEach(one -> row.append("    ").append(one).append(System.lineSeparator()));
        return row.toString();
    }
}
