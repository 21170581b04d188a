package io.taskmaster.examples.crawl;

import java.util.Locale;

/** The stages of the crawl, in the order in which a page passes them; links and index are reached from extract side by side. */
public enum StageName {
    FETCH,
    EXTRACT,
    LINKS,
    INDEX;

    /** As it stands in queue names and options. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
