package io.taskmaster.examples.crawl;

import io.taskmaster.examples.crawl.index.IndexView.Hit;
import io.taskmaster.examples.crawl.index.IndexView.SearchResult;
import java.io.PrintWriter;

/** A printer of search results for people. */
final class SearchResultPrinter {

    private static final int MAX_SNIPPET = 300;

    private final PrintWriter out;

    SearchResultPrinter(PrintWriter out) {
        this.out = out;
    }

    void print(SearchResult result) {
        int rank = 0;
        for (Hit hit : result.hits()) {
            out.printf("%2d. %s  (%.2f)%n    %s%n    %s%n", ++rank, hit.title(), hit.score(), hit.url(), snippet(hit));
        }
        out.printf("%d of %d matches%n", rank, result.matches());
        out.flush();
    }

    private static String snippet(Hit hit) {
        String text = hit.snippet();
        return text.length() <= MAX_SNIPPET ? text : text.substring(0, MAX_SNIPPET) + " ...";
    }
}
