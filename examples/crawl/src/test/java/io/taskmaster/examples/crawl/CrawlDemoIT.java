package io.taskmaster.examples.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.examples.crawl.index.IndexView;
import io.taskmaster.examples.crawl.page.ExtractedPage;
import io.taskmaster.examples.crawl.page.PageText;
import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.examples.crawl.page.Site;
import io.taskmaster.examples.crawl.run.IndependentWalk;
import io.taskmaster.examples.demo.DemoProcess;
import io.taskmaster.examples.demo.fixture.JavadocArtifact;
import io.taskmaster.tests.Slow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the whole demo, with real processes, over the whole site. */
final class CrawlDemoIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    private static final Pattern KEPT = Pattern.compile("The server keeps running: (http:.*)");
    private static final Pattern INDEXED = Pattern.compile("^(\\d+) of \\d+ pages indexed");

    /**
     * The reachable pages, with the index entry of each. There are far more of them than are indexed when the last
     * process is stopped.
     */
    private static final SortedMap<String, PageText> EXPECTED = new TreeMap<>();

    @TempDir
    private Path folder;

    @BeforeAll
    static void walkTheArtifact(@TempDir Path elsewhere) throws IOException {
        try (JavadocArtifact artifact = JavadocArtifact.open(elsewhere.resolve("site.zip"))) {
            Set<String> pages = IndependentWalk.reachablePages(artifact.root());
            for (String path : pages) {
                PageUrl url = new PageUrl(URI.create(Site.GUAVA.origin() + path));
                byte[] html = Files.readAllBytes(artifact.root().resolve(path));
                EXPECTED.put(
                        url.toString(), ExtractedPage.parse(url, html, "utf-8").text());
            }
        }
    }

    @Slow
    @Test
    void everyReachablePageIsIndexedAndFound() throws Exception {
        try (DemoProcess demo = DemoProcess.start(folder, "--pace=0")) {
            assertThat(demo.await()).as("%s", demo.lines()).isZero();
            assertThat(demo.lastLine())
                    .matches(EXPECTED.size() + " pages indexed, \\d+ links seen, \\d+ collapsed, " + 4 * EXPECTED.size()
                            + " hand-offs, \\d+ tasks/s, \\d+ retries");
        }
        assertThatIndexIsComplete();
        assertThatPagesAreFound();

        List<String> again = DemoProcess.output(folder).orElseThrow();
        assertThat(again.getFirst()).contains("complete");
        assertThat(DemoProcess.summary(again).getLast()).startsWith(EXPECTED.size() + " pages indexed, ");
    }

    @Test
    void nothingIsLostWhateverIsKilled() throws Exception {
        List<ProcessHandle> orphans;
        try (DemoProcess demo = DemoProcess.start(folder, "--pace=0")) {
            demo.awaitProgress(INDEXED, 20);
            demo.kill("extract-1");
            demo.kill("index-1");
            demo.awaitProgress(INDEXED, 60);
            demo.kill("server");
            demo.awaitProgress(INDEXED, 120);
            orphans = demo.killAlone();
        }
        await().atMost(TIMEOUT).until(() -> orphans.stream().noneMatch(ProcessHandle::isAlive));

        try (DemoProcess demo = DemoProcess.start(folder, "--pace=0")) {
            demo.awaitProgress(INDEXED, 200);
            List<ProcessHandle> children = demo.interrupt();
            demo.await();
            assertThat(children).noneMatch(ProcessHandle::isAlive);
        }

        try (DemoProcess demo = DemoProcess.start(folder, "--pace=0")) {
            assertThat(demo.await()).as("%s", demo.lines()).isZero();
            assertThat(demo.lines().getFirst()).isEqualTo("Going on with the crawl.");
            assertThat(demo.lines().get(1)).matches("Watch it at http://127\\.0\\.0\\.1:\\d+/");
            assertThat(demo.nextSteps())
                    .satisfiesExactly(
                            query -> assertThat(query).contains("taskmaster demo --dir " + folder + " --query "),
                            again -> assertThat(again).contains("taskmaster demo --dir " + folder + " --fresh --keep "),
                            server -> assertThat(server).contains("taskmaster server "));
            assertThat(demo.lastLine())
                    .startsWith(EXPECTED.size() + " pages indexed, ")
                    .contains(", " + 4 * EXPECTED.size() + " hand-offs, ");
        }
        assertThatIndexIsComplete();
        assertThatPagesAreFound();
        assertThatItsServerIsKept();
    }

    private void assertThatItsServerIsKept() throws Exception {
        try (DemoProcess demo = DemoProcess.start(folder, "--keep")) {
            demo.awaitLine("Ctrl-C ends it.");
            URI page = demo.lines().stream()
                    .map(KEPT::matcher)
                    .filter(Matcher::matches)
                    .map(line -> URI.create(line.group(1)))
                    .findFirst()
                    .orElseThrow();
            try (HttpClient http = HttpClient.newHttpClient()) {
                HttpResponse<String> answer = http.send(
                        HttpRequest.newBuilder(page.resolve("/v1/list?group=crawl&name_re=seen"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
                assertThat(answer.body()).contains("\"seen\"");
            }
            List<ProcessHandle> children = demo.interrupt();
            demo.await();
            assertThat(children).isNotEmpty().noneMatch(ProcessHandle::isAlive);
        }
    }

    private void assertThatPagesAreFound() throws Exception {
        assertThat(DemoProcess.output(folder, "--query=immutable list").orElseThrow())
                .first()
                .asString()
                .startsWith(" 1. ImmutableList");
    }

    private void assertThatIndexIsComplete() throws IOException {
        try (IndexView index = IndexView.open(folder.resolve("index"))) {
            SortedMap<String, PageText> contents = index.contents();
            assertThat(contents.keySet()).isEqualTo(EXPECTED.keySet());
            assertThat(contents).isEqualTo(EXPECTED);
        }
    }
}
