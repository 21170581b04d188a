package io.taskmaster.examples.crawl.run;

import io.taskmaster.examples.crawl.DemoMain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a child process: our own JVM, our own class path, other arguments. */
final class JavaCommand {

    private JavaCommand() {}

    /**
     * @param flags of the JVM, beyond those that every process of ours needs
     * @param arguments of the demo command
     */
    static List<String> of(List<String> flags, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), DemoMain.class.getName()));
        command.addAll(arguments);
        return List.copyOf(command);
    }
}
