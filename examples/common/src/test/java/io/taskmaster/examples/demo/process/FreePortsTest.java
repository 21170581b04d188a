package io.taskmaster.examples.demo.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

final class FreePortsTest {

    @Test
    void aPortThatComesUpTwiceIsChosenOnce() {
        FreePorts ports = FreePorts.choose(eachTwice());
        assertThat(ports.grpc()).isNotEqualTo(ports.http());
    }

    @Test
    void aPortInUseIsNotChosen() throws IOException {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            AtomicInteger port = new AtomicInteger(used.getLocalPort());
            FreePorts ports = FreePorts.choose(() -> port.getAndUpdate(before -> before - 1));
            assertThat(used.getLocalPort()).isNotIn(ports.grpc(), ports.http());
        }
    }

    /** Returns a source of ports of which each comes up twice. */
    private static IntSupplier eachTwice() {
        AtomicInteger calls = new AtomicInteger();
        return () -> 20_000 + calls.getAndIncrement() / 2;
    }
}
