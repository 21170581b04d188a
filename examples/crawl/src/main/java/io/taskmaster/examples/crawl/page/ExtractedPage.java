package io.taskmaster.examples.crawl.page;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** The text and the links of a parsed page. Immutable. */
public record ExtractedPage(PageText text, PageLinks links) {

    /**
     * Parses HTML. Never fails: text without HTML is a page without links.
     *
     * @param charset the charset that the server named; empty: the one that the page names, else UTF-8
     */
    public static ExtractedPage parse(PageUrl url, byte[] html, String charset) {
        Document page = document(url, html, charset);
        Element main = page.selectFirst("main");
        // The frame of a Javadoc page is the same on all of them; the text to find is in its main part.
        String text = (main == null ? page.body() : main).text();
        List<String> hrefs = page.select("a[href]").eachAttr("href");
        return new ExtractedPage(new PageText(page.title(), text), new PageLinks(baseOf(page, url), hrefs));
    }

    private static Document document(PageUrl url, byte[] html, String charset) {
        try {
            return Jsoup.parse(new ByteArrayInputStream(html), charset.isEmpty() ? null : charset, url.toString());
        } catch (IOException cannotBe) {
            throw new UncheckedIOException(cannotBe);
        }
    }

    /** Returns the base of relative links. The parser takes it from a {@code <base>} element, which may be anything. */
    private static URI baseOf(Document page, PageUrl url) {
        try {
            return URI.create(page.baseUri());
        } catch (IllegalArgumentException noUri) {
            return url.uri();
        }
    }
}
