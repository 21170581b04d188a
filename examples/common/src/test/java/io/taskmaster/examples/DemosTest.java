package io.taskmaster.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.examples.demo.DemoProvider;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

final class DemosTest {

    private static final FakeDemo CRAWL = new FakeDemo("crawl", true, 11);
    private static final FakeDemo BANK = new FakeDemo("bank", false, 12);
    private static final FakeDemo ATLAS = new FakeDemo("atlas", false, 13);

    @Test
    void withoutAWordTheDefaultDemoRuns() {
        CommandLine demos = Demos.commandLine(List.of(BANK, CRAWL, ATLAS));
        assertThat(demos.execute()).isEqualTo(CRAWL.status());
        assertThat(demos.execute("bank")).isEqualTo(BANK.status());
        assertThat(demos.execute("atlas")).isEqualTo(ATLAS.status());
    }

    @Test
    void subcommandsAreTheOtherDemosByNameAndTheServer() {
        assertThat(Demos.commandLine(List.of(BANK, CRAWL, ATLAS))
                        .getSubcommands()
                        .keySet())
                .containsExactly("server", "atlas", "bank");
    }

    @Test
    void usageIsPrintedWhereNoDemoIsTheDefault() {
        StringWriter printed = new StringWriter();
        CommandLine demos = Demos.commandLine(List.of(BANK)).setErr(new PrintWriter(printed, true));

        assertThat(demos.execute()).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(printed.toString()).contains("Usage: demo", "bank").doesNotContain("server");
        assertThat(demos.execute("bank")).isEqualTo(BANK.status());
    }

    @Test
    void twoDefaultsAreRefused() {
        FakeDemo other = new FakeDemo("other", true, 14);
        assertThatThrownBy(() -> Demos.commandLine(List.of(other, CRAWL)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("[crawl, other]");
    }

    /** A demo that ends at once, with an exit status of its own. */
    private record FakeDemo(String name, boolean isDefault, int status) implements DemoProvider {

        @Override
        public Object command(Class<?> program) {
            return new FakeCommand(status);
        }
    }

    @Command
    private static final class FakeCommand implements Callable<Integer> {

        private final int status;

        private FakeCommand(int status) {
            this.status = status;
        }

        @Override
        public Integer call() {
            return status;
        }
    }
}
