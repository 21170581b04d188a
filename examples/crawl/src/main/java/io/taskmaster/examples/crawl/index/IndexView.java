package io.taskmaster.examples.crawl.index;

import io.taskmaster.examples.crawl.page.PageText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.queryparser.simple.SimpleQueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.uhighlight.DefaultPassageFormatter;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.apache.lucene.store.FSDirectory;

/** The index as of its last commit, open for reading. It needs neither server nor writer. Thread-safe. */
public final class IndexView implements AutoCloseable {

    /**
     * The weights of the fields. Names weigh most. The title counts little beside them, since a separate word is found
     * in both.
     */
    private static final Map<String, Float> WEIGHTS =
            Map.of(PageFields.NAMES, 4f, PageFields.TITLE, 1f, PageFields.TEXT, 1f);

    private final IndexReader reader;

    private IndexView(IndexReader reader) {
        this.reader = reader;
    }

    /** Opens the index in a folder; an empty one if nothing has been committed there. */
    public static IndexView open(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return new IndexView(new MultiReader());
        }
        FSDirectory directory = FSDirectory.open(folder);
        return new IndexView(
                DirectoryReader.indexExists(directory) ? DirectoryReader.open(directory) : new MultiReader());
    }

    /** The number of pages. */
    public int pages() {
        return reader.numDocs();
    }

    /** Returns the sum of retries over all pages. */
    public long retries() throws IOException {
        long sum = 0;
        for (Document page : all()) {
            sum += page.getField(PageFields.RETRIES).numericValue().longValue();
        }
        return sum;
    }

    /** Returns all pages by URL. */
    public SortedMap<String, PageText> contents() throws IOException {
        SortedMap<String, PageText> pages = new TreeMap<>();
        for (Document page : all()) {
            pages.put(page.get(PageFields.URL), new PageText(page.get(PageFields.TITLE), page.get(PageFields.TEXT)));
        }
        return pages;
    }

    /** Returns the best matches, best first. Any text is a valid query: words, "phrases", +must, -mustnot. */
    public SearchResult search(String words, int maxHits) throws IOException {
        Analyzer analyzer = new StandardAnalyzer();
        SimpleQueryParser parser = new SimpleQueryParser(analyzer, WEIGHTS);
        Query query = parser.parse(words);
        IndexSearcher searcher = new IndexSearcher(reader);
        TopDocs top = searcher.search(query, maxHits);
        UnifiedHighlighter highlighter = UnifiedHighlighter.builder(searcher, analyzer)
                .withFieldMatcher(field -> true)
                .withMaxLength(1 << 20)
                .withFormatter(new DefaultPassageFormatter("", "", " ... ", false))
                .build();
        @SuppressWarnings("NullAway") // Lucene leaves null where a document has no text; no annotation says so.
        String[] snippets = highlighter.highlight(PageFields.TEXT, query, top, 1);
        List<Hit> hits = new ArrayList<>();
        for (int i = 0; i < top.scoreDocs.length; i++) {
            ScoreDoc match = top.scoreDocs[i];
            Document page = searcher.storedFields().document(match.doc);
            hits.add(new Hit(
                    page.get(PageFields.TITLE), page.get(PageFields.URL), match.score, String.valueOf(snippets[i])));
        }
        return new SearchResult(top.totalHits.value(), hits);
    }

    private List<Document> all() throws IOException {
        List<Document> pages = new ArrayList<>();
        StoredFields stored = reader.storedFields();
        var live = org.apache.lucene.index.MultiBits.getLiveDocs(reader);
        for (int id = 0; id < reader.maxDoc(); id++) {
            if (live == null || live.get(id)) {
                pages.add(stored.document(id));
            }
        }
        return pages;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    /**
     * The result of a search.
     *
     * @param matches the number of matching pages, a lower bound
     */
    public record SearchResult(long matches, List<Hit> hits) {}

    /**
     * A matching page.
     *
     * @param snippet the passage of the text that matches best
     */
    public record Hit(String title, String url, float score, String snippet) {}
}
