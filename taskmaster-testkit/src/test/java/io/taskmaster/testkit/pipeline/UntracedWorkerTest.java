package io.taskmaster.testkit.pipeline;

import static io.taskmaster.testkit.pipeline.PipelineAssertions.assertThat;
import static io.taskmaster.testkit.pipeline.Steps.FIRST;
import static io.taskmaster.testkit.pipeline.Steps.LAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.trace.TraceHeaders;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A test of a worker without tracing: it needs no OpenTelemetry, and none is on its class path here. */
final class UntracedWorkerTest {

    @Test
    void runsWithoutOpenTelemetry() throws ReflectiveOperationException, IOException {
        try (URLClassLoader without = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> without.loadClass("io.opentelemetry.api.OpenTelemetry"))
                    .isInstanceOf(ClassNotFoundException.class);
            Runnable program = without.loadClass(Program.class.getName())
                    .asSubclass(Runnable.class)
                    .getDeclaredConstructor()
                    .newInstance();
            assertThat(program.getClass()).isNotEqualTo(Program.class);
            program.run();
        }
    }

    private static URL[] classPath() {
        List<URL> entries = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("opentelemetry"))
                .map(UntracedWorkerTest::urlOf)
                .toList();
        return entries.toArray(URL[]::new);
    }

    private static URL urlOf(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (IOException e) {
            throw new IllegalArgumentException(entry, e);
        }
    }

    /** A program that takes a task through two stages, a lost lease and a refusal, and keeps its trace headers. */
    public static final class Program implements Runnable {

        @Override
        public void run() {
            Map<String, String> trace = Map.of(TraceHeaders.PARENT, "00-1", TraceHeaders.STATE, "a=b");
            try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE).start()) {
                kit.faults().atAttempt(FIRST, 1).loseLease().atCommit(FIRST, 2).refuse();
                kit.enqueue(FIRST.task("a").at("p").headers(trace));
                kit.runUntilIdle();
                assertThat(kit.queue(LAST)).hasPids("p");
                assertThat(kit.queue(LAST).tasks().getFirst().headers()).isEqualTo(trace);
            }
        }
    }
}
