package io.taskmaster.examples.crawl.page;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ExtractedPageTest {

    private static final PageUrl URL = Site.GUAVA.root();

    @Test
    void titleTextAndLinksAreTakenFromThePage() {
        ExtractedPage page = parse("""
                <html><head><title>Joiner
                (Guava)</title></head><body><nav>menu <a href="tree.html">Tree</a></nav>
                <main>Joins <b>pieces</b> of <a href="a.html#x">text</a>.<a name=no>no link</a><a href="a.html">again</a></main></body>
                """);
        assertThat(page.text()).isEqualTo(new PageText("Joiner (Guava)", "Joins pieces of text.no linkagain"));
        assertThat(page.links()).isEqualTo(new PageLinks(URL.uri(), List.of("tree.html", "a.html#x", "a.html")));
    }

    @Test
    void pageWithoutMainPartIsTakenWhole() {
        assertThat(parse("<p>one<p>two").text()).isEqualTo(new PageText("", "one two"));
    }

    @Test
    void baseElementMovesRelativeLinks() {
        assertThat(parse("<base href='/api/'><a href=x.html>").links().base())
                .isEqualTo(URI.create("http://guava.test/api/"));
    }

    @Test
    void brokenBaseElementIsIgnored() {
        assertThat(parse("<base href='http://[oh no'><a href=x.html>").links().base())
                .isEqualTo(URL.uri());
    }

    @Test
    void charsetOfTheServerWins() {
        byte[] html = "<body>Größe".getBytes(ISO_8859_1);
        assertThat(ExtractedPage.parse(URL, html, "iso-8859-1").text().text()).isEqualTo("Größe");
    }

    @Test
    void rubbishIsAPageWithoutLinks() {
        assertThat(ExtractedPage.parse(URL, new byte[] {0, 1, 2, (byte) 0xff}, "")
                        .links()
                        .hrefs())
                .isEmpty();
    }

    @Test
    void textAndLinksTravelAsTaskData() {
        PageText text = new PageText("A\ntitle", "text\nin two lines");
        assertThat(PageText.decode(text.encode())).isEqualTo(new PageText("A title", "text\nin two lines"));
        PageLinks links = new PageLinks(URL.uri(), List.of("a.html", "", "b\nc"));
        assertThat(PageLinks.decode(links.encode())).isEqualTo(new PageLinks(URL.uri(), List.of("a.html", "", "b c")));
        PageLinks none = new PageLinks(URL.uri(), List.of());
        assertThat(PageLinks.decode(none.encode())).isEqualTo(none);
    }

    private static ExtractedPage parse(String html) {
        return ExtractedPage.parse(URL, html.getBytes(UTF_8), "utf-8");
    }
}
