package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.harness.fault.FaultKind;
import io.taskmaster.harness.hbase.HBasePlan;
import io.taskmaster.harness.process.ChildJvm;
import io.taskmaster.harness.process.JvmCommand;
import io.taskmaster.tests.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test of {@code taskmaster chaos --store hbase} for half a minute. */
final class HBaseChaosIT {

    private static final String MAIN_CLASS = "io.taskmaster.cli.Main";
    private static final Duration TIMEOUT = Duration.ofMinutes(8);

    /**
     * A seed that kills the region server, the node and the data node within two seconds, so that all three happen even
     * on a slow machine.
     */
    private static final String SEED = "4281";

    @Test
    @Slow
    void aServerKeepsItsPromisesWhileItAndPartsOfItsHBaseFail(@TempDir Path folder) throws Exception {
        Path output = folder.resolve("output");
        Path run = folder.resolve("run");
        JvmCommand command = JvmCommand.of(
                        MAIN_CLASS,
                        List.of("chaos", "--store=hbase", "--minutes=0.5", "--seed=" + SEED, "--keep=" + run))
                .withFlags(List.of("-D" + HBasePlan.JARS_PROPERTY + "=" + System.getProperty(HBasePlan.JARS_PROPERTY)));
        try (ChildJvm chaos = ChildJvm.start(command, output)) {
            int status = chaos.awaitExit(TIMEOUT).orElseThrow();

            String text = Files.readString(output);
            assertThat(text).contains("verdict:     clean").contains("(0 undecided)");
            assertThat(status).isZero();
            assertThat(text)
                    .contains(FaultKind.KILL_REGION_SERVER.word(), FaultKind.KILL_DATA_NODE.word(), "server killed")
                    .containsPattern("store: +started [2-9] datanode, 1 master, 1 namenode, [2-9] regionserver-1,");
            assertThat(run.resolve("store")).doesNotExist();
        }
    }
}
