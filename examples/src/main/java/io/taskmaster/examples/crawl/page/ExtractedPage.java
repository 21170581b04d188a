package io.taskmaster.examples.crawl.page;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** A page taken apart. Immutable. */
public record ExtractedPage(PageText text, PageLinks links) {

    /**
     * Parses HTML, which never fails: what is no HTML is a page without links.
     *
     * @param charset as the server said; empty: as the page says itself, else UTF-8
     */
    public static ExtractedPage parse(PageUrl url, byte[] html, String charset) {
        Document page = document(url, html, charset);
        Element main = page.selectFirst("main");
        // The frame around a Javadoc page is the same on all of them; what is worth finding stands in its main part.
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

    /** The parser moves its base to that of a {@code <base>} element, which may be anything. */
    private static URI baseOf(Document page, PageUrl url) {
        try {
            return URI.create(page.baseUri());
        } catch (IllegalArgumentException noUri) {
            return url.uri();
        }
    }
}
