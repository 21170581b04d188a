package io.taskmaster.harness.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PortsTest {

    @TempDir
    private Path folder = Path.of("");

    @Test
    void areAllDifferentAndZookeepersIsTheOneAskedFor() {
        Ports ports = Ports.free(2181, 3);

        assertThat(Member.all(3)).extracting(ports::of).doesNotHaveDuplicates().doesNotContain(ports.dataNodeCalls());
        assertThat(ports.of(new Member(DaemonRole.ZOOKEEPER, 1))).isEqualTo(2181);
    }

    @Test
    void areReadAsTheyWereSaved() throws IOException {
        Ports ports = new Ports(1, 2, 3, 4, 5, List.of(7, 6));
        Path file = folder.resolve("ports");
        ports.save(file);

        assertThat(Ports.load(file)).isEqualTo(ports);
    }

    @Test
    void aFileThatSaysNoneIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("ports"), "namenode=one");

        assertThatThrownBy(() -> Ports.load(file))
                .isInstanceOf(HBaseException.class)
                .hasMessage(file + ": no port of namenode (expected: a file that this command wrote)");
    }
}
