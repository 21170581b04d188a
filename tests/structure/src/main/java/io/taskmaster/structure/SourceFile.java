package io.taskmaster.structure;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A Java source file of main sources, as far as the structure of the repository is concerned. Immutable.
 *
 * @param path relative to the root of the repository
 * @param module the folder of its Maven module, relative to the root
 * @param packageName the package
 * @param types the names of its top-level types; none in a {@code package-info}
 * @param imports the packages of its imports, those of Javadoc included
 * @param lines the number of lines
 * @param commentLines the number of lines that are {@code //} comments
 * @param methods its methods and constructors
 * @param docs its Javadoc comments
 */
record SourceFile(
        Path path,
        String module,
        String packageName,
        List<String> types,
        Set<String> imports,
        int lines,
        int commentLines,
        List<Method> methods,
        List<Doc> docs) {

    /**
     * A method or a constructor.
     *
     * @param name the name; that of the type for a constructor
     * @param lines from its signature to its end
     */
    record Method(String name, boolean isConstructor, boolean isOfRecord, int parameters, int lines) {}

    /**
     * A Javadoc comment.
     *
     * @param ofType whether a type or a package has it, and no member
     * @param text without the leading asterisks
     */
    record Doc(int line, boolean ofType, String text) {}

    SourceFile {
        types = List.copyOf(types);
        imports = Set.copyOf(imports);
        methods = List.copyOf(methods);
        docs = List.copyOf(docs);
    }
}
