package io.taskmaster.stage.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The fixture of tests of connections over loopback. After each test no buffer is left. */
abstract class LoopbackSockets {

    /**
     * A time longer than a busy machine delays a test between two steps; a connection without traffic for as long
     * counts as idle.
     */
    static final Duration IDLE = Duration.ofSeconds(3);

    static final InetSocketAddress ANYWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    static final Framing LINES = Framing.lines(1_000);
    static final int THREADS = 2;
    final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    private final Queue<String> leaks = new ConcurrentLinkedQueue<>();
    final Sockets sockets = Sockets.start(THREADS, allocator);
    final LocalStages local = LocalStages.start();

    final LocalStage<Message> echo = local.add(
            "echo",
            stage ->
                    stage.handler(message -> message.answer(message.payload())).boundary(10_000, boundary -> boundary));

    @BeforeEach
    void watchEveryBuffer() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + records));
    }

    @AfterEach
    void assertNoBufferLeaked() {
        sockets.close();
        local.close();
        ResourceLeakDetector.setLevel(before);
        ByteBufUtil.setLeakListener(null);
        assertThat(leaks).isEmpty();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }

    static Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    static void write(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(UTF_8));
        out.flush();
    }

    static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }
}
