package io.taskmaster.examples.crawl;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A filter of Lucene's log: at its first use Lucene recommends JVM flags, which would disturb the output of the demo.
 */
final class QuietLucene {

    /** A strong reference, because loggers without one lose their level. */
    private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

    private QuietLucene() {}

    static void hush() {
        LUCENE.setLevel(Level.SEVERE);
    }
}
