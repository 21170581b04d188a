package io.taskmaster.examples.crawl;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Lucene recommends JVM flags through its log at the first use; that is not for those who watch a demo. */
final class QuietLucene {

    /** Kept, because loggers that nobody holds lose their level. */
    private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

    private QuietLucene() {}

    static void hush() {
        LUCENE.setLevel(Level.SEVERE);
    }
}
