package io.taskmaster.harness.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the cache that the build creates, by programs that do not start without it. */
final class AotCacheIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    /** A flag by which a JVM ends if it cannot use its cache. */
    private static final String INSISTS = "-XX:AOTMode=on";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void programsOfOurClassPathStartFromIt() throws InterruptedException {
        assumeCache();
        assertThat(status(insisting())).isZero();
    }

    @Test
    void aPatchedProgramStartsWithoutIt() throws IOException, InterruptedException {
        assumeCache();
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Files.createFile(classes.resolve("Patched.class"));

        assertThat(status(version().withClassesFirst(classes))).isZero();
        assertThat(status(insisting().withClassesFirst(classes))).isEqualTo(1);
    }

    @Test
    void aFolderHasNoneBeforeItIsComplete() throws IOException {
        Files.writeString(folder.resolve("class-path"), "a.jar");
        Files.writeString(folder.resolve("java"), System.getProperty("java.home"));
        assertThat(AotCache.in(folder)).isEmpty();
        Files.createFile(folder.resolve("server.aot"));

        AotCache cache = AotCache.in(folder).orElseThrow();
        assertThat(cache.before("b")).isEqualTo("a.jar" + File.pathSeparator + "b");
        assertThat(cache.flags()).contains("-XX:AOTCache=" + folder.resolve("server.aot"));
    }

    @Test
    void theCacheOfAnotherJavaIsNone() throws IOException {
        Files.writeString(folder.resolve("class-path"), "a.jar");
        Files.createFile(folder.resolve("server.aot"));
        Files.writeString(folder.resolve("java"), folder.toString());
        assertThat(AotCache.in(folder)).isEmpty();

        Files.writeString(folder.resolve("java"), folder.resolve("removed").toString());
        assertThat(AotCache.in(folder)).isEmpty();
    }

    /** Without a cache there is nothing to test, except in CI. */
    private static void assumeCache() {
        assumeTrue(
                AotCache.present().isPresent() || Boolean.parseBoolean(System.getenv("CI")),
                "dist/jars was built without tests, or for another Java");
    }

    private static JvmCommand version() {
        return JvmCommand.of("io.taskmaster.cli.Main", List.of("--version"));
    }

    private static JvmCommand insisting() {
        return version().withFlags(List.of(INSISTS));
    }

    private int status(JvmCommand command) throws InterruptedException {
        try (ChildJvm program = ChildJvm.start(command, folder.resolve("output"))) {
            return program.awaitExit(TIMEOUT).orElseThrow();
        }
    }
}
