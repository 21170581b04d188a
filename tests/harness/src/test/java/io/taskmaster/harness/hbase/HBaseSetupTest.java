package io.taskmaster.harness.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HBaseSetupTest {

    private static final Ports PORTS = new Ports(20_001, 20_002, 20_003, 20_004, 20_005, List.of(20_006, 20_007));

    private final Path jars;
    private final HBasePlan plan;

    HBaseSetupTest(@TempDir Path folder) throws IOException {
        jars = Files.createDirectory(folder.resolve("jars"));
        Files.createFile(jars.resolve("b.jar"));
        Files.createFile(jars.resolve("a.jar"));
        Files.createFile(jars.resolve("notes.txt"));
        plan = new HBasePlan(folder.resolve("hbase"), jars, 2, true, OptionalInt.empty(), Map.of(), Map.of(), false);
    }

    @Test
    void settingsAreFirstOnTheClassPathAndTheJarsInOrder() {
        String expected = String.join(
                File.pathSeparator,
                plan.folder().resolve("conf").toString(),
                jars.resolve("a.jar").toString(),
                jars.resolve("b.jar").toString());

        assertThat(setup().members())
                .hasSize(6)
                .allSatisfy(member ->
                        assertThat(setup().command(member).classPath()).isEqualTo(expected));
    }

    @Test
    void everyRegionServerHasAPortOfItsOwn() {
        Member second = new Member(DaemonRole.REGION_SERVER, 2);

        assertThat(setup().command(second).arguments()).containsExactly("-Dhbase.regionserver.port=20007", "start");
        assertThat(second.name()).isEqualTo("regionserver-2");
    }

    @Test
    void aHeapIsWhatThePlanSays() {
        HBaseSetup large = new HBaseSetup(plan.withHeap(DaemonRole.REGION_SERVER, 2048), PORTS);

        assertThat(large.command(new Member(DaemonRole.REGION_SERVER, 1)).flags())
                .contains("-Xmx2048m");
        assertThatThrownBy(() -> plan.withHeap(DaemonRole.REGION_SERVER, 100))
                .hasMessage("heap of a regionserver: 100 MB (expected: at least 512)");
    }

    @Test
    void writesWhatEveryProcessReads() {
        setup().write();

        for (String name :
                List.of("core-site.xml", "hdfs-site.xml", "hbase-site.xml", "log4j.properties", "webapps/hdfs")) {
            assertThat(plan.folder().resolve("conf").resolve(name)).exists();
        }
        assertThat(plan.folder().resolve("ports.properties")).exists();
    }

    @Test
    void aFolderWithoutJarsIsNamed() {
        Path nowhere = jars.resolve("nowhere");
        HBasePlan without =
                new HBasePlan(plan.folder(), nowhere, 1, true, OptionalInt.empty(), Map.of(), Map.of(), false);

        assertThatThrownBy(() -> new HBaseSetup(without, PORTS).format())
                .isInstanceOf(HBaseException.class)
                .hasMessageStartingWith("jars: " + nowhere + " cannot be read");
    }

    private HBaseSetup setup() {
        return new HBaseSetup(plan, PORTS);
    }
}
