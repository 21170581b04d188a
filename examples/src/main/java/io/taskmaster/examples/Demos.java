package io.taskmaster.examples;

import io.taskmaster.examples.adsquality.AdsQualityCommand;
import io.taskmaster.examples.conversion.ConversionCommand;
import io.taskmaster.examples.crawl.CrawlCommand;
import picocli.CommandLine;

/** The command {@code taskmaster demo}: the crawl, and the other demos as its subcommands. */
final class Demos {

    private Demos() {}

    static CommandLine commandLine() {
        return new CommandLine(new CrawlCommand())
                .addSubcommand("conversion", new ConversionCommand())
                .addSubcommand("ads-quality", new AdsQualityCommand())
                .setCaseInsensitiveEnumValuesAllowed(true);
    }
}
