package io.taskmaster.structure;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * The main sources of the repository, or those of its tests, parsed by the JDK's compiler and not resolved. Immutable.
 */
record SourceTree(List<SourceFile> files) {

    private static final Pattern DOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);

    /** The beginning of a type or a package, behind its doc. */
    private static final Pattern TYPE =
            Pattern.compile("\\s*(?:@[\\w.]+(?:\\((?:[^()\"]|\"[^\"]*\")*\\))?\\s*|//[^\\n]*\\n\\s*)*"
                    + "(?:(?:public|protected|private|abstract|final|sealed|non-sealed|static)\\s+)*"
                    + "(?:class|interface|enum|record|@interface|package)\\b");

    SourceTree {
        files = List.copyOf(files);
    }

    /** Parses all main sources below a folder. */
    static SourceTree read(Path root) throws IOException {
        return read(root, "src/main/java/");
    }

    /** Parses the sources of all tests below a folder. */
    static SourceTree readTests(Path root) throws IOException {
        return read(root, "src/test/java/");
    }

    private static SourceTree read(Path root, String folder) throws IOException {
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(root)) {
            paths = walk.filter(path -> path.toString().endsWith(".java"))
                    .filter(path -> isSource(root.relativize(path), folder))
                    .sorted()
                    .toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(paths));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            List<SourceFile> files = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                files.add(file(root, unit, positions));
            }
            return new SourceTree(files);
        }
    }

    private static boolean isSource(Path relative, String folder) {
        String path = relative.toString();
        return path.contains(folder) && !path.contains("target/");
    }

    private static SourceFile file(Path root, CompilationUnitTree unit, SourcePositions positions) {
        Path path = root.relativize(Path.of(unit.getSourceFile().toUri()));
        String text = text(unit);
        Reader reader = new Reader(unit, positions);
        reader.scan(unit, null);
        Set<String> imports = new HashSet<>();
        for (ImportTree imported : unit.getImports()) {
            imports.add(packageOf(imported.getQualifiedIdentifier().toString()));
        }
        String[] lines = text.split("\n", -1);
        return new SourceFile(
                path,
                path.toString().replaceFirst("/src/(main|test)/java/.*", ""),
                Objects.requireNonNull(unit.getPackageName()).toString(),
                reader.types,
                imports,
                lines.length - 1,
                (int) Stream.of(lines)
                        .filter(line -> line.strip().startsWith("//"))
                        .count(),
                reader.methods,
                docs(text));
    }

    private static String text(CompilationUnitTree unit) {
        try {
            return unit.getSourceFile().getCharContent(true).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the package of an imported type or member: the part before the first name with a capital letter. */
    private static String packageOf(String imported) {
        Matcher type = Pattern.compile("\\.\\p{Lu}").matcher(imported);
        return type.find() ? imported.substring(0, type.start()) : imported;
    }

    private static List<SourceFile.Doc> docs(String text) {
        List<SourceFile.Doc> docs = new ArrayList<>();
        Matcher doc = DOC.matcher(text);
        while (doc.find()) {
            boolean ofType = TYPE.matcher(text).region(doc.end(), text.length()).lookingAt();
            int line = 1
                    + (int) text.substring(0, doc.start())
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            docs.add(new SourceFile.Doc(
                    line, ofType, doc.group(1).replaceAll("\\s*\n\\s*\\*?", " ").strip()));
        }
        return docs;
    }

    /** The reader of the types and methods of one file. */
    private static final class Reader extends TreePathScanner<@Nullable Void, @Nullable Void> {

        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final List<String> types = new ArrayList<>();
        private final List<SourceFile.Method> methods = new ArrayList<>();

        Reader(CompilationUnitTree unit, SourcePositions positions) {
            this.unit = unit;
            this.positions = positions;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
            if (getCurrentPath().getParentPath().getLeaf() instanceof CompilationUnitTree) {
                types.add(type.getSimpleName().toString());
            }
            return super.visitClass(type, null);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
            ClassTree owner = (ClassTree) getCurrentPath().getParentPath().getLeaf();
            boolean isConstructor = method.getName().contentEquals("<init>");
            LineMap lines = unit.getLineMap();
            long start = positions.getStartPosition(unit, method);
            long end = positions.getEndPosition(unit, method);
            methods.add(new SourceFile.Method(
                    (isConstructor ? owner.getSimpleName() : method.getName()).toString(),
                    isConstructor,
                    owner.getKind() == Tree.Kind.RECORD,
                    method.getParameters().size(),
                    end < 0 ? 0 : (int) (lines.getLineNumber(end) - lines.getLineNumber(start) + 1)));
            return super.visitMethod(method, null);
        }
    }
}
