package io.taskmaster.examples.crawl.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.examples.crawl.index.IndexView.Hit;
import io.taskmaster.examples.crawl.page.PageText;
import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.examples.crawl.page.Site;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PageIndexTest {

    @TempDir
    private Path folder;

    @Test
    void pageThatComesAgainReplacesItself() throws IOException {
        try (PageIndex index = PageIndex.open(folder)) {
            index.put(page("A"), new PageText("A", "old"), 0);
            index.put(page("A"), new PageText("A", "new"), 2);
            index.put(page("B"), new PageText("B", "other"), 1);
            index.commit();
        }
        try (IndexView view = IndexView.open(folder)) {
            assertThat(view.pages()).isEqualTo(2);
            assertThat(view.retries()).isEqualTo(3);
            assertThat(view.contents())
                    .containsEntry("http://guava.test/A.html", new PageText("A", "new"))
                    .hasSize(2);
        }
    }

    @Test
    void whatIsCommittedIsThereThoughTheWriterNeverCloses() throws IOException {
        try (PageIndex index = PageIndex.open(folder)) {
            index.put(page("A"), new PageText("A", "text"), 0);
            assertThat(pages()).isZero();
            index.commit();
            assertThat(pages()).isEqualTo(1);
        }
    }

    @Test
    void namesAreFoundByTheirWords() throws IOException {
        try (PageIndex index = PageIndex.open(folder)) {
            index.put(
                    page("ImmutableList"),
                    new PageText("ImmutableList (Guava)", "A List whose contents never change"),
                    0);
            index.put(page("Joiner"), new PageText("Joiner (Guava)", "An immutable joiner of a list of pieces"), 0);
            index.put(page("Old"), new PageText("Deprecated List (Guava)", "A list of what is not immutable"), 0);
            index.put(page("Hashing"), new PageText("Hashing (Guava)", "Static methods to obtain hash functions"), 0);
            index.commit();
        }
        try (IndexView view = IndexView.open(folder)) {
            IndexView.SearchResult result = view.search("immutable list", 10);
            assertThat(result.matches()).isEqualTo(3);
            assertThat(result.hits()).extracting(Hit::title).startsWith("ImmutableList (Guava)");
            assertThat(result.hits().getFirst().snippet()).contains("contents never change");
            assertThat(view.search("immutablelist", 1).hits()).hasSize(1);
        }
    }

    @Test
    void anyTextIsAQuery() throws IOException {
        try (PageIndex index = PageIndex.open(folder)) {
            index.put(page("A"), new PageText("A", "text"), 0);
            index.commit();
        }
        try (IndexView view = IndexView.open(folder)) {
            assertThat(view.search("+\"((~ AND [ \\", 10).hits()).isEmpty();
            assertThat(view.search("", 10).hits()).isEmpty();
        }
    }

    @Test
    void nothingIndexedIsAnEmptyIndex() throws IOException {
        try (IndexView none = IndexView.open(folder.resolve("absent"))) {
            assertThat(none.pages()).isZero();
            assertThat(none.search("anything", 1).hits()).isEmpty();
        }
    }

    private int pages() throws IOException {
        try (IndexView view = IndexView.open(folder)) {
            return view.pages();
        }
    }

    private static PageUrl page(String name) {
        return Site.GUAVA.resolve(Site.GUAVA.root().uri(), name + ".html").orElseThrow();
    }
}
