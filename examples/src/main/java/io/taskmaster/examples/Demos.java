package io.taskmaster.examples;

import io.taskmaster.examples.adsquality.AdsQualityProvider;
import io.taskmaster.examples.conversion.ConversionProvider;
import io.taskmaster.examples.crawl.CrawlProvider;
import io.taskmaster.examples.demo.DemoProvider;
import io.taskmaster.examples.demo.process.DemoServerCommand;
import java.util.List;
import picocli.CommandLine;

/**
 * The list of all demos, and the command {@code taskmaster demo}: the first of them, with the others as its
 * subcommands.
 */
final class Demos {

    private static final DemoProvider FIRST = new CrawlProvider();
    private static final List<DemoProvider> OTHERS = List.of(new ConversionProvider(), new AdsQualityProvider());

    private Demos() {}

    static CommandLine commandLine() {
        CommandLine demo =
                new CommandLine(FIRST.command(DemoMain.class)).addSubcommand("server", new DemoServerCommand());
        OTHERS.forEach(other -> demo.addSubcommand(other.name(), other.command(DemoMain.class)));
        return demo.setCaseInsensitiveEnumValuesAllowed(true);
    }
}
