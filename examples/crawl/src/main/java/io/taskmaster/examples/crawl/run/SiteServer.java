package io.taskmaster.examples.crawl.run;

import com.sun.net.httpserver.SimpleFileServer;
import io.taskmaster.examples.demo.fixture.JavadocArtifact;
import io.taskmaster.examples.demo.fixture.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** An HTTP server of the Javadoc artifact, on a free port of the loopback address. Thread-safe. */
public final class SiteServer implements AutoCloseable {

    private final JavadocArtifact artifact;
    private final LoopbackServer server;

    private SiteServer(JavadocArtifact artifact, LoopbackServer server) {
        this.artifact = artifact;
        this.server = server;
    }

    /**
     * Starts the server.
     *
     * @param copy the path of a copy of the artifact while the server runs
     */
    public static SiteServer start(Path copy) throws IOException {
        JavadocArtifact artifact = JavadocArtifact.open(copy);
        return new SiteServer(artifact, LoopbackServer.start(SimpleFileServer.createFileHandler(artifact.root())));
    }

    /** The address of the server. */
    public URI address() {
        return server.address();
    }

    @Override
    public void close() throws IOException {
        server.close();
        artifact.close();
    }
}
