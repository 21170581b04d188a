package io.taskmaster.integration.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.examples.DemoCommandProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Tests that each demo has a page, which names its options. */
final class DemoPagesTest {

    private static final Set<String> SAID_FOR_ALL = Set.of("-h", "--help", "-V", "--version");
    private static final Path PAGES = Path.of("../../docs");

    @Test
    void thePagesOfTheDemosNameEveryOption() throws IOException {
        CommandLine demo = (CommandLine) new DemoCommandProvider().command();
        assertThat(demo.getCommandSpec().optionsMap()).as("the crawl").containsKey("--query");
        assertThat(demo.getSubcommands()).containsKeys("ads-quality", "conversion");
        assertThatPageNames("demo.md", demo);
        for (Map.Entry<String, CommandLine> other : demo.getSubcommands().entrySet()) {
            if (!other.getValue().getCommandSpec().usageMessage().hidden()) {
                assertThatPageNames("demo-" + other.getKey() + ".md", other.getValue());
                assertThat(Files.readString(PAGES.resolve("demo.md"))).contains("demo-" + other.getKey() + ".md");
            }
        }
    }

    private static void assertThatPageNames(String page, CommandLine demo) throws IOException {
        String text = Files.readString(PAGES.resolve(page));
        for (OptionSpec option : demo.getCommandSpec().options()) {
            if (!SAID_FOR_ALL.contains(option.longestName())) {
                assertThat(text).as(page).contains("`" + option.longestName());
            }
        }
    }
}
