package io.taskmaster.conformance.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.harness.process.ChildProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A worker of {@code examples/clients}, started by its own script in a process of its own. Closing it kills it.
 * Thread-safe.
 */
final class ExampleWorker implements AutoCloseable {

    static final Path EXAMPLES = Path.of("../../examples/clients");

    private static final long ENVIRONMENT_LIMIT_MINUTES = 5;

    private final ChildProgram program;

    private ExampleWorker(ChildProgram program) {
        this.program = program;
    }

    /**
     * Starts a worker.
     *
     * @param language the folder of its sources
     * @param variables its configuration
     * @param log the file of its output
     */
    static ExampleWorker start(String language, Map<String, String> variables, Path log) throws InterruptedException {
        String python = python();
        List<String> command = new ArrayList<>(List.of("env"));
        variables.forEach((name, value) -> command.add(name + "=" + value));
        // The environment of the Python suite has everything that the example lists, and a protoc.
        command.addAll(List.of("PYTHON=" + python, "PROTOC=" + python + " -m grpc_tools.protoc", "sh"));
        command.add(EXAMPLES.resolve(language).resolve("run").toString());
        return new ExampleWorker(ChildProgram.start(command, log));
    }

    /** Returns the interpreter of the Python suite, whose script makes its environment if there is none. */
    private static String python() throws InterruptedException {
        try {
            Path output = Files.createTempFile(Path.of("target"), "python", ".txt");
            Process environment = new ProcessBuilder("sh", "python/environment")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                assertThat(environment.waitFor(ENVIRONMENT_LIMIT_MINUTES, TimeUnit.MINUTES))
                        .as("python/environment has ended")
                        .isTrue();
            } finally {
                environment.descendants().forEach(ProcessHandle::destroyForcibly);
                environment.destroyForcibly();
            }
            assertThat(environment.exitValue())
                    .as("status of python/environment")
                    .isZero();
            return Files.readString(output, UTF_8).strip();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    boolean isAlive() {
        return program.isAlive();
    }

    String lastOutput() {
        return program.lastOutput();
    }

    @Override
    public void close() {
        program.close();
    }
}
