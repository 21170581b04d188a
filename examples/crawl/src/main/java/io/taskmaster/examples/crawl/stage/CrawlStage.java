package io.taskmaster.examples.crawl.stage;

import java.util.Locale;

/** The stages of the crawl, in the order in which a page passes them. Links and index both follow extract. */
public enum CrawlStage {
    FETCH,
    EXTRACT,
    LINKS,
    INDEX;

    /** Returns the name as it is used in queue names and options. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
