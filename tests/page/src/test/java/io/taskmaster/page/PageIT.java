package io.taskmaster.page;

import static io.taskmaster.page.Visit.MAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Tests of the web page, in a real browser, on a real server, with real work. */
final class PageIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String HTML = "<img src=x onerror=\"window.caught=1\"><b>bold</b>";

    /** A script that changes the server's replies to rankings of queues as if three partitions did not serve. */
    private static final String THREE_CLOSED = """
            const ask = window.fetch;
            window.fetch = async (path, options) => {
              const answer = await ask(path, options);
              return path === 'v1/rank' ? Response.json({ ...await answer.json(), closed_partitions: 3 }) : answer;
            };
            return true;
            """;

    @TempDir
    private Path folder;

    private Visit visit;
    private Browser browser;
    private BlockingClient tasks;

    @BeforeEach
    void open() throws Exception {
        visit = Visit.begin();
        browser = visit.browser;
        tasks = visit.tasks;
    }

    @AfterEach
    void close() {
        visit.close();
    }

    @Test
    void aCrawlIsSeenWhileItRuns() throws Exception {
        try (Crawls _ = Crawls.on(visit.server.rpcPort(), folder.resolve("demo"))) {
            browser.go("", "Overview").awaitMatch(".verdict", "Backlog in (fetch|extract|links|index)/\\*: .*");
            browser.awaitMatch("main", "(?s).*(fetch|extract|links|index)/\\S+ in crawl.*");
            browser.assertAccessible().assertFits();

            browser.go("#/flow", "Flow").awaitText(".flow", "fetch/*");
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(browser.texts("section table, .scroll table")
                                    .getLast())
                            .contains("extract/*\tlinks/*"));
            browser.awaitText(".verdict", "Backlog in ");
            browser.assertAccessible().assertFits().picture("flow");

            browser.go("#/queues", "Queues").awaitText("tbody", "seen");
            browser.picture("queues");
            browser.type("input[name=pattern]", "links/.*");
            browser.keys(Keys.ENTER);
            await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(browser.texts("tbody .name a"))
                            .isNotEmpty()
                            .allMatch(name -> name.startsWith("links/")));
            browser.assertAccessible().assertFits();

            browser.go("#/node", "Node").awaitText("main", "put_if_absent");
            browser.assertAccessible().assertFits().picture("node");

            browser.go("", "Overview").awaitText(".verdict", "Backlog in ");
            await().atMost(TIMEOUT)
                    .untilAsserted(
                            () -> assertThat(browser.texts("figure path")).hasSize(6));
            browser.assertAccessible().picture("overview");
            browser.scheme("dark").assertContrast().picture("overview-dark");

            browser.scheme("light")
                    .go("#/queue?group=tcrawl&name=tseen", "seen")
                    .awaitText(".cards", "Available");
            browser.press("Show tasks");
            browser.awaitText("details summary", "http://guava.test/");
            browser.assertAccessible().assertFits().picture("queue");

            browser.scheme("dark").size(390, 844).go("#/flow", "Flow").awaitText(".verdict", "Backlog in ");
            browser.assertContrast().assertFits().picture("flow-phone");
            browser.assertQuiet();
        }
    }

    @Test
    void everyPageIsForPhonesAndBothSchemesToo() throws Exception {
        visit.fill(3);
        tasks.lease(LeaseRequest.from(MAIL));
        browser.size(390, 844).go("", "Overview").awaitText("tbody", "mail");
        assertForBothSchemes("overview-phone");
        browser.go("#/flow", "Flow").awaitText("tbody", "mail");
        assertForBothSchemes("flow-phone-quiet");
        browser.go("#/queues", "Queues").awaitText("tbody", "mail");
        assertForBothSchemes("queues-phone");
        browser.go("#/queue?name=tmail", "mail").awaitText("tbody", "postman");
        browser.press("Show tasks");
        browser.press("p1");
        browser.awaitText("details pre", "data 1");
        assertForBothSchemes("queue-phone");
        browser.press("Delete");
        browser.awaitText("dialog[open]", "cannot be undone");
        assertForBothSchemes("question-phone");
        browser.press("Cancel");
        browser.go("#/node", "Node").awaitText("tbody", "Window");
        assertForBothSchemes("node-phone");
        browser.assertQuiet();
    }

    /** Checks the page in both colour schemes. Only colours differ between them, so everything else is checked once. */
    private void assertForBothSchemes(String picture) throws Exception {
        browser.scheme("light").assertAccessible().assertFits().picture(picture);
        browser.scheme("dark").assertContrast().assertFits().picture(picture + "-dark");
    }

    @Test
    void whatIsInAQueueIsTextWhateverItIs() {
        QueueKey evil = QueueKey.of("", HTML);
        tasks.enqueue(evil, Pid.of(HTML), Bytes.of(HTML));
        tasks.enqueue(evil, Pid.of("json"), Bytes.of("{\"b\":[1,2]}"));
        tasks.enqueue(evil, Pid.of("octets"), Bytes.wrap(new byte[] {(byte) 0xff, 0, 'A'}));
        browser.go("#/queues", "Queues").awaitText("tbody", HTML);
        browser.press(HTML);
        browser.awaitText("h1", HTML);
        browser.press("Show tasks");
        browser.press(HTML);
        browser.awaitText("details[open] pre", HTML);
        browser.awaitNothing("main img, main b");
        browser.press(HTML);
        browser.press("json");
        browser.awaitText("details[open] pre", "\"b\": [");
        browser.press("json");
        browser.press("octets");
        browser.awaitText("details[open] pre", "ff 00 41");
        assertThat(browser.run("return window.caught === undefined")).isEqualTo(true);
        browser.assertQuiet();
    }

    @Test
    void queuesAreFoundByTheirGroup() {
        GroupName octets = GroupName.wrap(new byte[] {(byte) 0xff, 0, 7});
        tasks.enqueue(new QueueKey(octets, QueueName.of("bytes")), Bytes.EMPTY);
        tasks.enqueue(QueueKey.of("g", "one"), Bytes.EMPTY);
        tasks.enqueue(QueueKey.of("g", "two"), Bytes.EMPTY);
        tasks.enqueue(QueueKey.of("", "none"), Bytes.EMPTY);
        browser.go("#/queues", "Queues");
        awaitQueues("bytes", "none", "one", "two");
        browser.type("input[name=group]", "g");
        browser.keys(Keys.ENTER);
        awaitQueues("one", "two");
        browser.type("input[name=pattern]", "t.*");
        browser.keys(Keys.ENTER);
        awaitQueues("two");
        assertThat(browser.run("return document.querySelector('input[name=group]').value"))
                .isEqualTo("g");

        browser.go("#/queues", "Queues").type("input[name=group]", "base64:/wAH");
        browser.keys(Keys.ENTER);
        awaitQueues("bytes");
        browser.type("input[name=group]", "base64:");
        browser.keys(Keys.ENTER);
        awaitQueues("none");
        browser.assertQuiet();
    }

    private void awaitQueues(String... names) {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(browser.texts("tbody .name a")).containsExactlyInAnyOrder(names));
    }

    @Test
    void queuesThatAreMissingAreSaid() {
        visit.fill(1);
        for (String page : List.of("", "#/queues")) {
            browser.go(page, page.isEmpty() ? "Overview" : "Queues").awaitText("tbody", "mail");
            browser.run(THREE_CLOSED);
            browser.awaitText("main", "3 partitions are not serving");
        }
        browser.assertAccessible().assertFits().assertQuiet();
    }

    @Test
    void aKeyboardIsEnough() {
        visit.fill(2);
        browser.go("", "Overview").awaitText("tbody", "mail");
        browser.keys(Keys.TAB);
        assertThat(browser.focused()).isEqualTo("Skip to content");
        browser.keys(Keys.TAB);
        browser.keys(Keys.TAB);
        browser.keys(Keys.TAB);
        assertThat(browser.focused()).isEqualTo("Queues");
        browser.keys(Keys.ENTER);
        browser.awaitText("h1", "Queues");
        browser.awaitText("tbody", "mail");
        for (int i = 0; i < 20 && !browser.focused().equals("mail"); i++) {
            browser.keys(Keys.TAB);
        }
        assertThat(browser.focused()).isEqualTo("mail");
        browser.keys(Keys.ENTER);
        browser.awaitText("h1", "mail");
        browser.go("#/queues", "Queues").keys(Keys.TAB);
        browser.keys(Keys.ENTER);
        assertThat(browser.run("return document.activeElement.id")).isEqualTo("main");
        browser.awaitText("h1", "Queues");
        browser.assertQuiet();
    }

    @Test
    void aServerThatIsGoneIsSaid() {
        browser.go("#/queues", "Queues");
        visit.server.close();
        browser.awaitText("#trouble", "is not responding");
    }
}
