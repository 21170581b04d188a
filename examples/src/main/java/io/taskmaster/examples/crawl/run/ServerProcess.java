package io.taskmaster.examples.crawl.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

/** The TaskMaster server of the demo: the real one, in a process of its own, on a free port of the loopback address. */
final class ServerProcess {

    private static final List<String> FLAGS = List.of("-Xmx512m");

    private ServerProcess() {}

    /** Starts the server, and again on the same port and data should it die. Returns its address at once. */
    static String start(Children children, DemoFolder folder) {
        String address = freeAddress();
        children.start(
                "server",
                JavaCommand.of(
                        FLAGS,
                        List.of(
                                "server",
                                "--store=rocksdb",
                                "--data=" + folder.data(),
                                "--listen=" + address,
                                "--http=127.0.0.1:0")));
        return address;
    }

    private static String freeAddress() {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + probe.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
