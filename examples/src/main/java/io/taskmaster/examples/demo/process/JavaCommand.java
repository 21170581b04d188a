package io.taskmaster.examples.demo.process;

import io.taskmaster.examples.demo.DemoMain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a child process: our own JVM, our own class path, other arguments. */
public final class JavaCommand {

    /** A worker lives for seconds: the first compiler is worth its time, the second is not. */
    private static final List<String> WORKER_FLAGS = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");

    private static final List<String> SERVER_FLAGS = List.of("-Xmx512m");

    private JavaCommand() {}

    /**
     * @param arguments of the demo command
     */
    public static List<String> worker(List<String> arguments) {
        return of(WORKER_FLAGS, DemoMain.class, arguments);
    }

    /**
     * @param arguments of the demo command
     */
    static List<String> server(List<String> arguments) {
        return of(SERVER_FLAGS, DemoMain.class, arguments);
    }

    /**
     * @param flags of the JVM, beyond those that every process of ours needs
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
