package io.taskmaster.examples.conversion.converter;

import io.taskmaster.model.Bytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;

/**
 * A converter of HTML to Markdown: headings, paragraphs, lists, code, links and tables; of all other elements the text.
 * An instance serves one document. Single-threaded.
 */
public final class HtmlToMarkdown {

    private final StringBuilder out = new StringBuilder();

    /** The paragraph so far, with the white space of the source. */
    private final StringBuilder paragraph = new StringBuilder();

    private int lists;
    private String bullet = "";

    private HtmlToMarkdown() {}

    /** Converts a document. Text without HTML becomes one paragraph. */
    public static String convert(Bytes html) {
        Document document = parse(html);
        Element main = document.selectFirst("main");
        HtmlToMarkdown markdown = new HtmlToMarkdown();
        markdown.children(main == null ? document.body() : main);
        markdown.endParagraph();
        return markdown.out.toString();
    }

    private static Document parse(Bytes html) {
        try {
            return Jsoup.parse(new ByteArrayInputStream(html.unsafeArray()), null, "");
        } catch (IOException cannotBe) {
            throw new UncheckedIOException(cannotBe);
        }
    }

    private void children(Element element) {
        for (Node node : element.childNodes()) {
            switch (node) {
                case TextNode text -> paragraph.append(text.getWholeText());
                case Element child -> element(child);
                default -> {}
            }
        }
    }

    private void element(Element element) {
        switch (element.normalName()) {
            case "script", "style", "template" -> {}
            case "h1", "h2", "h3", "h4", "h5", "h6" -> heading(element);
            case "pre" -> block("```\n" + element.wholeText().strip() + "\n```");
            case "table" -> block(MarkdownTable.of(element));
            case "ul", "ol", "dl" -> list(element);
            case "li", "dt", "dd" -> item(element);
            case "a" -> link(element);
            case "code" -> paragraph.append('`').append(element.text()).append('`');
            case "br" -> endParagraph();
            default -> other(element);
        }
    }

    private void heading(Element element) {
        endParagraph();
        bullet = "#".repeat(element.normalName().charAt(1) - '0') + " ";
        paragraph.append(element.text());
        endParagraph();
        bullet = "";
    }

    private void list(Element element) {
        endParagraph();
        lists++;
        children(element);
        endParagraph();
        lists--;
    }

    private void item(Element element) {
        endParagraph();
        bullet = "  ".repeat(Math.max(0, lists - 1)) + "- ";
        children(element);
        endParagraph();
        bullet = "";
    }

    private void link(Element element) {
        String text = element.text();
        if (text.isEmpty() || !element.hasAttr("href")) {
            paragraph.append(text);
        } else {
            paragraph
                    .append('[')
                    .append(text)
                    .append("](")
                    .append(element.attr("href"))
                    .append(')');
        }
    }

    private void other(Element element) {
        if (element.isBlock()) {
            endParagraph();
            children(element);
            endParagraph();
        } else {
            children(element);
        }
    }

    private void block(String lines) {
        endParagraph();
        out.append(lines).append("\n\n");
    }

    private void endParagraph() {
        String text = paragraph.toString().replaceAll("\\s+", " ").strip();
        paragraph.setLength(0);
        if (!text.isEmpty()) {
            out.append(bullet).append(text).append("\n\n");
            bullet = "";
        }
    }
}
