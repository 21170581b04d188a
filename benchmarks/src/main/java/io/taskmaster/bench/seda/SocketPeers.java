package io.taskmaster.bench.seda;

import io.taskmaster.harness.process.ChildJvm;
import io.taskmaster.harness.process.JvmCommand;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.net.Endpoint;
import io.taskmaster.stage.net.Framing;
import io.taskmaster.stage.net.Message;
import io.taskmaster.stage.net.Sockets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A {@link SocketLoad} in a process of its own. It shares the processors with the server, which peers on other machines
 * would not. Single-threaded: owned by the experiment.
 */
final class SocketPeers implements AutoCloseable {

    /** The framing of orders, which are a port and two counts, and of replies. */
    static final Framing ORDERS = Framing.lines(100);

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final List<String> FLAGS =
            List.of("-Xmx768m", "-Dlogback.configurationFile=io/taskmaster/bench/echo-logback.xml");

    private final BlockingQueue<Message> inbox = new LinkedBlockingQueue<>();
    private final Endpoint control;
    private final Path log;
    private final ChildJvm process;
    private Message last;

    private SocketPeers(Sockets sockets) throws IOException, InterruptedException {
        control = sockets.endpoint("control", ORDERS, message -> {
            inbox.add(message);
            return Taken.ACCEPTED;
        });
        InetSocketAddress orders = control.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        log = Files.createTempFile("taskmaster-bench-", ".log");
        List<String> port = List.of(String.valueOf(orders.getPort()));
        process = ChildJvm.start(JvmCommand.of(SocketLoad.class.getName(), port).withFlags(FLAGS), log);
        last = await();
    }

    /** Starts the process. Blocks until it is ready. */
    static SocketPeers start(Sockets sockets) throws InterruptedException {
        try {
            return new SocketPeers(sockets);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the peers", e);
        }
    }

    /**
     * Sets the connections. Blocks until this number of active and of silent connections to a server is established,
     * and none to another server is left.
     */
    void set(Answering server, int active, int silent) throws InterruptedException {
        var _ = last.answer(Bytes.of("%d %d %d".formatted(server.address().getPort(), active, silent)));
        last = await();
    }

    private Message await() throws InterruptedException {
        Message ready = inbox.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (ready == null) {
            String output = process.lastOutput();
            close();
            throw new IllegalStateException("the peers are not there after %s: %s".formatted(LIMIT, output));
        }
        return ready;
    }

    @Override
    public void close() {
        process.close();
        control.drain(Duration.ZERO).join();
        try {
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + log, e);
        }
    }
}
