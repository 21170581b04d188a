package io.taskmaster.examples.crawl.index;

import io.taskmaster.examples.crawl.page.PageText;
import io.taskmaster.examples.crawl.page.PageUrl;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;

/** The fields of a document. */
final class PageFields {

    /** The page's URL, the id of the document. */
    static final String URL = "url";

    static final String TITLE = "title";

    /**
     * The title with its names split into words, so that "immutable list" finds {@code ImmutableList}; searched, never
     * shown.
     */
    static final String NAMES = "names";

    static final String TEXT = "text";

    /** The number of retries of the page on its way to the index. */
    static final String RETRIES = "retries";

    private PageFields() {}

    static Document document(PageUrl url, PageText text, int retries) {
        Document page = new Document();
        page.add(new StringField(URL, url.toString(), Store.YES));
        page.add(new TextField(TITLE, text.title(), Store.YES));
        page.add(new TextField(NAMES, takeApart(text.title()), Store.NO));
        page.add(new TextField(TEXT, text.text(), Store.YES));
        page.add(new StoredField(RETRIES, retries));
        return page;
    }

    /** Inserts a blank where a word begins within a name. */
    static String takeApart(String name) {
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ");
    }
}
