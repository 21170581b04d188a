package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.harness.process.ChildJvm;
import io.taskmaster.harness.process.JvmCommand;
import io.taskmaster.tests.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A test of {@code taskmaster demo --store hbase}: the whole crawl, while its processes are killed. */
@Slow
@ExtendWith(SharedHBase.class)
final class HBaseDemoIT {

    private static final String MAIN_CLASS = "io.taskmaster.cli.Main";
    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    private static final Pattern INDEXED = Pattern.compile("(?m)^(\\d+) of \\d+ pages indexed");

    /** The number of pages that can be reached, as the demo's own tests count them with an independent walk. */
    private static final int PAGES = 934;

    private final Path folder;
    private final Path output;

    HBaseDemoIT(@TempDir Path folder) {
        this.folder = folder.resolve("demo");
        this.output = folder.resolve("output");
    }

    @Test
    void noPageIsLostWhateverIsKilled() throws Exception {
        try (ChildJvm demo = ChildJvm.start(command(), output)) {
            awaitIndexed(20);
            kill("extract-1");
            kill("index-1");
            awaitIndexed(60);
            kill("server");
            awaitIndexed(120);
            demo.kill();
            demo.start();
            int status = demo.awaitExit(TIMEOUT).orElseThrow();

            String text = Files.readString(output);
            assertThat(status).as(text).isZero();
            assertThat(text).contains("Going on with the crawl.");
            assertThat(text.lines().filter(line -> line.startsWith(PAGES + " pages indexed, ")))
                    .singleElement()
                    .asString()
                    .contains(", " + 4 * PAGES + " hand-offs, ");
        }
    }

    private JvmCommand command() {
        return JvmCommand.of(
                MAIN_CLASS,
                List.of(
                        "demo",
                        "--pace=0",
                        "--store=hbase",
                        "--zookeeper=" + SharedHBase.zookeeper(),
                        "--dir=" + folder));
    }

    private void awaitIndexed(int pages) {
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(50))
                .untilAsserted(
                        () -> assertThat(indexed()).as(Files.readString(output)).isGreaterThanOrEqualTo(pages));
    }

    private int indexed() throws IOException {
        return INDEXED.matcher(Files.readString(output))
                .results()
                .mapToInt(line -> Integer.parseInt(line.group(1)))
                .max()
                .orElse(0);
    }

    /** Kills a process by the id that the demo has written down. */
    private void kill(String process) throws IOException {
        long pid = Long.parseLong(Files.readString(folder.resolve("run").resolve(process + ".pid"))
                .strip());
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
}
