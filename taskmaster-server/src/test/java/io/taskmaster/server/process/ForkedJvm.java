package io.taskmaster.server.process;

import io.taskmaster.tests.JavaProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A starter of Java programs of the test's class path, in processes of their own, with the memory of a small server.
 */
final class ForkedJvm {

    private ForkedJvm() {}

    /**
     * Starts a program.
     *
     * @param output the file of its standard output
     * @param errors the file of its standard error
     */
    static Process start(String mainClass, List<String> arguments, Path output, Path errors) {
        List<String> command = new ArrayList<>(JavaProgram.onClassPath("-Xmx256m"));
        command.add(mainClass);
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                    .start();
            // A test that is interrupted ends its children.
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "end-child"));
            return process;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
