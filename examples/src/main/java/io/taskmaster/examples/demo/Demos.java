package io.taskmaster.examples.demo;

import io.taskmaster.examples.crawl.CrawlCommand;
import picocli.CommandLine;

/** {@code taskmaster demo}: the crawl. */
final class Demos {

    private Demos() {}

    static CommandLine commandLine() {
        return new CommandLine(new CrawlCommand()).setCaseInsensitiveEnumValuesAllowed(true);
    }
}
