package io.taskmaster.bigtable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BigtableEmulatorIT {

    @TempDir
    private Path folder = Path.of("");

    @Test
    void listensOnLoopbackUntilItIsClosed() throws IOException, InterruptedException {
        BigtableEmulator emulator = BigtableEmulator.start(folder.resolve("log"));
        try (emulator;
                Socket client = connect(emulator)) {
            assertThat(client.getInetAddress().isLoopbackAddress()).isTrue();
            assertThat(emulator.lastWords()).contains(emulator.endpoint());
        }
        assertThat(emulator.isAlive()).isFalse();
        assertThatThrownBy(() -> connect(emulator)).isInstanceOf(ConnectException.class);
    }

    @Test
    void severalRunSideBySide() throws InterruptedException {
        try (BigtableEmulator one = BigtableEmulator.start(folder.resolve("one"));
                BigtableEmulator other = BigtableEmulator.start(folder.resolve("other"))) {
            assertThat(one.endpoint()).isNotEqualTo(other.endpoint());
            assertThat(one.isAlive() && other.isAlive()).isTrue();
        }
    }

    private static Socket connect(BigtableEmulator emulator) throws IOException {
        return new Socket(emulator.address().getAddress(), emulator.address().getPort());
    }
}
