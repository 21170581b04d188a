package io.taskmaster.harness.process;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A command that starts a Java process with the JVM of this process, and with its class path unless another one is
 * given. Immutable.
 *
 * @param mainClass the name of the main class
 * @param arguments the arguments of the main class
 * @param flags the flags of the JVM, beyond those that all our processes need
 * @param classPath the class path
 * @param environment variables, in addition to those of this process
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

    /**
     * Returns a command for a main class of our own class path, which starts from an {@link AotCache} if there is one.
     */
    public static JvmCommand of(String mainClass, List<String> arguments) {
        String classPath = System.getProperty("java.class.path");
        return AotCache.present()
                .map(cache -> new JvmCommand(mainClass, arguments, cache.flags(), cache.before(classPath), Map.of()))
                .orElseGet(() -> new JvmCommand(mainClass, arguments, List.of(), classPath, Map.of()));
    }

    /** Returns this command with additional flags for the JVM. */
    public JvmCommand withFlags(List<String> more) {
        List<String> all = new ArrayList<>(flags);
        all.addAll(more);
        return new JvmCommand(mainClass, arguments, all, classPath, environment);
    }

    /** Returns this command with classes that precede those of the same name on the class path. */
    public JvmCommand withClassesFirst(Path folder) {
        return new JvmCommand(mainClass, arguments, flags, folder + File.pathSeparator + classPath, environment);
    }

    /** Returns this command with these variables in its environment. */
    public JvmCommand withEnvironment(Map<String, String> variables) {
        return new JvmCommand(mainClass, arguments, flags, classPath, variables);
    }

    /** Returns the words of the command line. */
    public List<String> words() {
        List<String> command = new ArrayList<>(List.of(JAVA.toString()));
        command.addAll(options(classPath));
        command.addAll(program());
        return List.copyOf(command);
    }

    /** Returns the words of a command line whose process ends as soon as its standard input does. */
    List<String> attachedCommand() {
        List<String> command = new ArrayList<>(List.of(JAVA.toString()));
        command.addAll(options(classPath + File.pathSeparator + ownClasses()));
        command.add(Attached.class.getName());
        command.addAll(program());
        return command;
    }

    /** Returns the words of a command line that has all others in a file. */
    static List<String> readCommand(Path argumentFile) {
        return List.of(JAVA.toString(), "@" + argumentFile);
    }

    /** Returns the lines of such a file, for a process that does not depend on its standard input. */
    List<String> argumentLines() {
        List<String> lines = new ArrayList<>(options(classPath));
        lines.addAll(program());
        return lines.stream().map(JvmCommand::quoted).toList();
    }

    private List<String> options(String classPath) {
        List<String> options = new ArrayList<>(EVERY_JVM);
        options.addAll(flags);
        options.addAll(List.of("-cp", classPath));
        return options;
    }

    private List<String> program() {
        List<String> program = new ArrayList<>(List.of(mainClass));
        program.addAll(arguments);
        return program;
    }

    /** Returns a word in the quotes of the java command. */
    private static String quoted(String word) {
        return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Returns the location of {@link Attached}, which is not on the class path of another program. */
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
