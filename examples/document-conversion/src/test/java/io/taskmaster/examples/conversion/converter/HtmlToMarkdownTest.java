package io.taskmaster.examples.conversion.converter;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import org.junit.jupiter.api.Test;

final class HtmlToMarkdownTest {

    @Test
    void headingsParagraphsAndLinks() {
        assertThat(
                        convert(
                                "<h1>One  <i>two</i></h1><p>See <a href='b.html'>the\nother</a>,\n not <a id=x>this</a>.<p>End"))
                .isEqualTo("# One two\n\nSee [the other](b.html), not this.\n\nEnd\n\n");
    }

    @Test
    void listsInLists() {
        assertThat(convert("<ul><li>a<ul><li>b</ul><li>c</ul>")).isEqualTo("- a\n\n  - b\n\n- c\n\n");
    }

    @Test
    void codeStaysAsItIs() {
        assertThat(convert("<p><code>int  i</code></p><pre>  int i;\n    i++;</pre>"))
                .isEqualTo("`int i`\n\n```\nint i;\n    i++;\n```\n\n");
    }

    @Test
    void cellsThatSpanColumnsAreFollowedByEmptyOnes() {
        assertThat(convert("<table><tr><th colspan=2>a|b</th></tr><tr><td>c</td><td>d</td></tr></table>"))
                .isEqualTo("| a\\|b |  |\n| --- | --- |\n| c | d |\n\n");
    }

    @Test
    void theMainPartIsEnough() {
        assertThat(convert("<nav>menu</nav><main>text<script>x()</script></main>"))
                .isEqualTo("text\n\n");
        assertThat(convert("")).isEmpty();
    }

    private static String convert(String html) {
        return HtmlToMarkdown.convert(Bytes.of(html));
    }
}
