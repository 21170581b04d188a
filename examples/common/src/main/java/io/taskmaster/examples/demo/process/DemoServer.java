package io.taskmaster.examples.demo.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The TaskMaster server of a demo. Its own is a real one, in a process of its own, on free ports of the loopback
 * address. Immutable.
 *
 * @param address host and port for clients
 * @param page the address of the web console; absent if it is unknown, since the server is not the demo's own
 */
public record DemoServer(String address, Optional<String> page) {

    private static final int FIRST_PORT = 20_000;
    private static final int END_PORT = 32_000;
    private static final int TRIES = 100;

    /** Returns a server that runs already. */
    public static DemoServer running(String address) {
        return new DemoServer(address, Optional.empty());
    }

    /**
     * Starts the server, and starts it again on the same ports and data if it dies. Returns at once.
     *
     * @param program the main class of its process, which has {@link DemoServerCommand} as its command {@code server}
     */
    public static DemoServer start(Children children, Class<?> program, DemoStore store) {
        String address = freeAddress();
        String http = freeAddress();
        List<String> arguments = new ArrayList<>(List.of("server", "--listen=" + address, "--http=" + http));
        arguments.addAll(store.options());
        children.start("server", JavaCommand.server(program, arguments));
        return new DemoServer(address, Optional.of("http://" + http + "/"));
    }

    /**
     * Returns a free address whose port is not one of those of outgoing connections: while the server is down, a client
     * that connects to it could take such a port.
     */
    private static String freeAddress() {
        IOException taken = new IOException("not tried");
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, END_PORT);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return "127.0.0.1:" + probe.getLocalPort();
            } catch (IOException e) {
                taken = e;
            }
        }
        throw new UncheckedIOException("no free port on loopback", taken);
    }
}
