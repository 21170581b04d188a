package io.taskmaster.examples.crawl.site;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves the artifact over HTTP on a free port of the loopback address. Thread-safe. */
public final class SiteServer implements AutoCloseable {

    static {
        // The JDK's server waits for more to send otherwise, 40 ms per page. It reads this once, before the first
        // server.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final JavadocArtifact artifact;
    private final HttpServer server;
    private final ExecutorService threads;

    private SiteServer(JavadocArtifact artifact, HttpServer server, ExecutorService threads) {
        this.artifact = artifact;
        this.server = server;
        this.threads = threads;
    }

    /**
     * Starts to serve.
     *
     * @param copy where a copy of the artifact is kept meanwhile
     */
    public static SiteServer start(Path copy) throws IOException {
        JavadocArtifact artifact = JavadocArtifact.open(copy);
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                0,
                "/",
                SimpleFileServer.createFileHandler(artifact.root()));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        server.setExecutor(threads);
        server.start();
        return new SiteServer(artifact, server, threads);
    }

    /** Where it listens. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() throws IOException {
        server.stop(0);
        threads.shutdownNow();
        artifact.close();
    }
}
