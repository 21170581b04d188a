package io.taskmaster.examples.demo.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a child process: the JVM and the class path of this process, with other arguments. */
public final class JavaCommand {

    /**
     * The JVM flags of workers. A worker lives for seconds, which pays for the first compiler but not for the second.
     */
    private static final List<String> WORKER_FLAGS = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");

    private static final List<String> SERVER_FLAGS = List.of("-Xmx512m");

    private JavaCommand() {}

    /**
     * Returns the command of a worker.
     *
     * @param program the main class, which takes the arguments of the demo command
     */
    public static List<String> worker(Class<?> program, List<String> arguments) {
        return of(WORKER_FLAGS, program, arguments);
    }

    /**
     * Returns the command of the server.
     *
     * @param program the main class, which takes the arguments of the demo command
     */
    static List<String> server(Class<?> program, List<String> arguments) {
        return of(SERVER_FLAGS, program, arguments);
    }

    /**
     * Returns a command.
     *
     * @param flags the flags of the JVM, besides those of every process
     */
    public static List<String> of(List<String> flags, Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return List.copyOf(command);
    }
}
