package io.taskmaster.testkit.process;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a Java process is started with: our own JVM and class path, unless told otherwise. Immutable.
 *
 * @param mainClass the name of its main class
 * @param arguments of that
 * @param flags of the JVM, beyond those that every process of ours needs
 * @param classPath where its classes are
 */
public record JvmCommand(String mainClass, List<String> arguments, List<String> flags, String classPath) {

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    public JvmCommand {
        arguments = List.copyOf(arguments);
        flags = List.copyOf(flags);
    }

    /** Starts a main class of our own class path. */
    public static JvmCommand of(String mainClass, List<String> arguments) {
        return new JvmCommand(mainClass, arguments, List.of(), System.getProperty("java.class.path"));
    }

    /** The same with more flags for the JVM. */
    public JvmCommand withFlags(List<String> more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(more);
        return new JvmCommand(mainClass, arguments, all, classPath);
    }

    /** The same with classes that come before those of the same name on the class path. */
    public JvmCommand withClassesFirst(Path folder) {
        return new JvmCommand(mainClass, arguments, flags, folder + File.pathSeparator + classPath);
    }

    /** The words of the command line. The process ends as soon as its standard input does. */
    List<String> words() {
        List<String> words = new ArrayList<>(List.of(
                JAVA.toString(), "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        words.addAll(flags);
        words.addAll(List.of("-cp", classPath, Attached.class.getName(), mainClass));
        words.addAll(arguments);
        return words;
    }
}
