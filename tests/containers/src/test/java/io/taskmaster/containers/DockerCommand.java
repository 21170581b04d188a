package io.taskmaster.containers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The program {@code docker}, run in the folder of the project, as the guide shows it. */
final class DockerCommand {

    private DockerCommand() {}

    /** Runs a command to its end and returns what it has printed, errors included. */
    static String docker(String... arguments) {
        Result result = run(arguments);
        if (result.status() != 0) {
            throw new AssertionError(
                    "docker %s: status %d%n%s".formatted(String.join(" ", arguments), result.status(), result.text()));
        }
        return result.text();
    }

    /** Returns whether a command ends with status 0. */
    static boolean succeeds(String... arguments) {
        return run(arguments).status() == 0;
    }

    private static Result run(String... arguments) {
        List<String> command =
                Stream.concat(Stream.of("docker"), Stream.of(arguments)).toList();
        try {
            Process process = new ProcessBuilder(command)
                    .directory(Path.of("../..").toFile())
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return new Result(process.waitFor(), text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted: docker " + String.join(" ", arguments), interrupted);
        }
    }

    private record Result(int status, String text) {}
}
