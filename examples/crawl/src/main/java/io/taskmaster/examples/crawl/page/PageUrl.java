package io.taskmaster.examples.crawl.page;

import io.taskmaster.model.Pid;
import java.net.URI;

/**
 * The canonical URL of a page. A page has exactly one, so it serves as the PID in every queue of the page, and as its
 * id in the index. Created by {@link Site#resolve}, or decoded from a PID. Immutable.
 */
public record PageUrl(URI uri) {

    private static final String TOP = "top";
    private static final String CROSS_REFERENCES = "/class-use";

    /** Decodes the output of {@link #pid}. */
    public static PageUrl of(Pid pid) {
        return new PageUrl(URI.create(pid.toString()));
    }

    public Pid pid() {
        return Pid.of(uri.toString());
    }

    /** The path on the server, percent-encoded. */
    public String path() {
        return uri.getRawPath();
    }

    /**
     * Returns the section of the site: the folder of the page; cross-references count to the package that they are
     * about. It is the second half of the names of queues, where names with dots would be hard to read.
     */
    public String section() {
        String path = path();
        String folder = path.substring(0, path.lastIndexOf('/'));
        if (folder.endsWith(CROSS_REFERENCES)) {
            folder = folder.substring(0, folder.length() - CROSS_REFERENCES.length());
        }
        return folder.isEmpty() ? TOP : folder.substring(1).replace('.', '_');
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
