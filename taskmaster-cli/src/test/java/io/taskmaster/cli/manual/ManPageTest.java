package io.taskmaster.cli.manual;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of manual pages of a small command line. */
final class ManPageTest {

    private final List<ManPage> pages = ManPage.all(SmallCommandLine.spec(), "1.2.3");

    @Test
    void everyCommandHasAPageExceptHiddenOnes() {
        assertThat(pages)
                .extracting(ManPage::file)
                .containsExactly("tool.1", "tool-copy.1", "tool-box.1", "tool-box-open.1");
    }

    @Test
    void aPageHasNameSynopsisArgumentsAndOptions() {
        assertThat(page("tool-copy").lines())
                .contains(
                        ".TH \"TOOL-COPY\" \"1\" \"\" \"taskmaster 1.2.3\" \"TaskMaster\"",
                        "tool\\-copy \\- Copies a file",
                        ".SH \"ARGUMENTS\"",
                        "\\fBFILE\\fR",
                        "The file.",
                        "\\fB\\-t, \\-\\-to DIR\\fR",
                        "\\fB\\-\\-mode MODE\\fR")
                .doesNotContain("\\fB\\-\\-secret\\fR");
    }

    @Test
    void examplesKeepTheirLines() {
        assertThat(page("tool-copy")).contains("""
            .SH "EXAMPLES"
            .nf
              tool copy a \\-\\-to b
              tool copy \\(dqc d\\(dq
              tool copy \\(aqe f\\(aq \\(ti/g \\-\\-mode=\\(hah
              printf \\(aq100%%%n\\(aq
            .fi
            """);
    }

    @Test
    void aLineThatStartsLikeARequestIsText() {
        assertThat(page("tool-box")).contains("\n\\&.box files\n").doesNotContain("\n.box");
    }

    @Test
    void pagesReferToEachOther() {
        assertThat(page("tool-box")).endsWith("""
            .SH "SEE ALSO"
            \\fBtool\\fR(1),
            \\fBtool\\-box\\-open\\fR(1)
            """);
    }

    @Test
    void everyLineIsTextOrARequestOfTheManMacros() {
        assertThat(pages)
                .allSatisfy(page -> assertThat(page.roff().lines().filter(line -> line.startsWith(".")))
                        .allMatch(line -> line.matches("\\.(\\\\\".*|TH .*|SH .*|TP|nf|fi)")));
    }

    private String page(String name) {
        return pages.stream()
                .filter(page -> page.name().equals(name))
                .findFirst()
                .orElseThrow()
                .roff();
    }
}
