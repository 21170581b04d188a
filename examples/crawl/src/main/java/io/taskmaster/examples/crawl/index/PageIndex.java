package io.taskmaster.examples.crawl.index;

import io.taskmaster.examples.crawl.page.PageText;
import io.taskmaster.examples.crawl.page.PageUrl;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * The index, open for writing by one process at a time. A page replaces its earlier document, so indexing is
 * idempotent. Nothing is durable before {@link #commit}. Thread-safe.
 */
public final class PageIndex implements AutoCloseable {

    private final Directory directory;
    private final IndexWriter writer;

    private PageIndex(Directory directory, IndexWriter writer) {
        this.directory = directory;
        this.writer = writer;
    }

    /** Opens the index in a folder, or creates one. */
    public static PageIndex open(Path folder) throws IOException {
        Directory directory = FSDirectory.open(folder);
        try {
            return new PageIndex(directory, new IndexWriter(directory, new IndexWriterConfig()));
        } catch (IOException locked) {
            directory.close();
            throw locked;
        }
    }

    /**
     * Adds a page, or replaces it.
     *
     * @param retries the number of retries of the page on its way to the index
     */
    public void put(PageUrl url, PageText text, int retries) throws IOException {
        writer.updateDocument(new Term(PageFields.URL, url.toString()), PageFields.document(url, text, retries));
    }

    /** Makes all pages so far durable: they are synced when this returns. Blocks. */
    public void commit() throws IOException {
        writer.commit();
    }

    @Override
    public void close() throws IOException {
        try (directory) {
            writer.close();
        }
    }
}
