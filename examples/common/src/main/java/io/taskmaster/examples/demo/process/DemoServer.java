package io.taskmaster.examples.demo.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The TaskMaster server of a demo. Its own is a real one, in a process of its own, on free ports of the loopback
 * address. Immutable.
 *
 * @param address host and port for clients
 * @param page the address of the web console; absent if it is unknown, since the server is not the demo's own
 */
public record DemoServer(String address, Optional<String> page) {

    private static final String LOOPBACK = "127.0.0.1:";

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
        FreePorts ports = FreePorts.choose();
        String address = LOOPBACK + ports.grpc();
        String http = LOOPBACK + ports.http();
        List<String> arguments = new ArrayList<>(List.of("server", "--listen=" + address, "--http=" + http));
        arguments.addAll(store.options());
        children.start("server", JavaCommand.server(program, arguments));
        return new DemoServer(address, Optional.of("http://" + http + "/"));
    }
}
