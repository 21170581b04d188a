package io.taskmaster.testkit.process;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a Java process is started with: our own JVM, and our own class path unless told otherwise. Immutable.
 *
 * @param mainClass the name of its main class
 * @param arguments of that
 * @param flags of the JVM, beyond those that every process of ours needs
 * @param classPath where its classes are
 * @param environment variables, beyond our own
 */
public record JvmCommand(
        String mainClass,
        List<String> arguments,
        List<String> flags,
        String classPath,
        Map<String, String> environment) {

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final List<String> EVERY_JVM =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    public JvmCommand {
        arguments = List.copyOf(arguments);
        flags = List.copyOf(flags);
        environment = Map.copyOf(environment);
    }

    /** Starts a main class of our own class path. */
    public static JvmCommand of(String mainClass, List<String> arguments) {
        return new JvmCommand(mainClass, arguments, List.of(), System.getProperty("java.class.path"), Map.of());
    }

    /** The same with more flags for the JVM. */
    public JvmCommand withFlags(List<String> more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(more);
        return new JvmCommand(mainClass, arguments, all, classPath, environment);
    }

    /** The same with classes that come before those of the same name on the class path. */
    public JvmCommand withClassesFirst(Path folder) {
        return new JvmCommand(mainClass, arguments, flags, folder + File.pathSeparator + classPath, environment);
    }

    /** The same with these variables in its environment. */
    public JvmCommand withEnvironment(Map<String, String> variables) {
        return new JvmCommand(mainClass, arguments, flags, classPath, variables);
    }

    /** The words of a command line whose process ends as soon as its standard input does. */
    List<String> attachedWords() {
        List<String> words = new ArrayList<>(List.of(JAVA.toString()));
        words.addAll(options(classPath + File.pathSeparator + ownClasses()));
        words.add(Attached.class.getName());
        words.addAll(program());
        return words;
    }

    /** The words of a command line that has all others in a file. */
    static List<String> wordsIn(Path argumentFile) {
        return List.of(JAVA.toString(), "@" + argumentFile);
    }

    /** What such a file says for a process that goes on when its standard input ends. */
    List<String> argumentLines() {
        List<String> lines = new ArrayList<>(options(classPath));
        lines.addAll(program());
        return lines.stream().map(JvmCommand::quoted).toList();
    }

    private List<String> options(String whole) {
        List<String> options = new ArrayList<>(EVERY_JVM);
        options.addAll(flags);
        options.addAll(List.of("-cp", whole));
        return options;
    }

    private List<String> program() {
        List<String> program = new ArrayList<>(List.of(mainClass));
        program.addAll(arguments);
        return program;
    }

    /** As the java command reads it. */
    private static String quoted(String word) {
        return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Where {@link Attached} is, which another program's class path has not. */
    private static Path ownClasses() {
        try {
            return Path.of(Attached.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
