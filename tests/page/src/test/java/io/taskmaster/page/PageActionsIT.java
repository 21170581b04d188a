package io.taskmaster.page;

import static io.taskmaster.page.Visit.MAIL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.model.Bytes;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Tests of the actions on the web page and of their permissions. */
final class PageActionsIT {

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
    void queuesArePausedResumedAndDeleted() {
        visit.fill(3);
        browser.go("#/queue?name=tmail", "mail");
        browser.press("Pause");
        browser.confirm("Pause");
        browser.awaitText("main", "Paused: no tasks are leased.");
        assertThat(visit.describe(MAIL, 0).options().paused()).isTrue();
        browser.press("Resume");
        browser.confirm("Resume");
        browser.awaitText("#said", "Resumed.");
        assertThat(visit.describe(MAIL, 0).options().paused()).isFalse();
        browser.press("Delete");
        browser.press("Cancel");
        assertThat(visit.describe(MAIL, 0).summary().available())
                .as("not confirmed")
                .isEqualTo(3);
        browser.press("Delete");
        browser.confirm("Delete");
        browser.awaitText("main", "This queue is empty.");
        assertThat(tasks.list(ListRequest.of(QueueSelector.all())).queues()).isEmpty();
        browser.assertQuiet();
    }

    @Test
    void nothingIsSaidToBeDeletedOfAQueueThatIsEmptyAndSet() {
        tasks.configure(MAIL, QueueOptions.DEFAULT.paused(true));
        browser.go("#/queue?name=tmail", "mail").awaitText("main", "Paused: no tasks are leased.");
        browser.press("Delete");
        browser.confirm("Delete");
        browser.awaitText("#said", "Already empty; its options are kept.");
        assertThat(visit.describe(MAIL, 0).options().paused()).isTrue();
        browser.assertQuiet();
    }

    @Test
    void tasksAreReleasedAndRequeued() {
        visit.fill(1);
        LeasedTask first = tasks.lease(LeaseRequest.from(MAIL)).getFirst();
        browser.go("#/queue?name=tmail", "mail").awaitText("tbody", "postman");
        browser.press("Release p1");
        browser.confirm("Release");
        browser.awaitText("#said", "Released.");
        LeasedTask second = tasks.lease(LeaseRequest.from(MAIL)).getFirst();
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(second.leaseId()).isNotEqualTo(first.leaseId());

        browser.press("Show tasks");
        browser.press("Requeue p1");
        browser.confirm("Requeue");
        browser.awaitText("#said", "Requeued.");
        LeasedTask anew = tasks.lease(LeaseRequest.from(MAIL)).getFirst();
        assertThat(anew.attempt()).isEqualTo(1);
        assertThat(anew.data()).isEqualTo(Bytes.of("data 1"));
        browser.assertQuiet();
    }

    @Test
    void aLeaseThatIsAnotherOneByNowStaysAndThatIsSaidUntilSomebodyHasSeenIt() throws Exception {
        visit.fill(1);
        LeasedTask stuck = tasks.lease(LeaseRequest.from(MAIL)).getFirst();
        browser.go("#/queue?name=tmail", "mail").awaitText("tbody", "postman");
        browser.press("Release p1");
        tasks.release(stuck);
        LeasedTask fresh = tasks.lease(LeaseRequest.from(MAIL)).getFirst();
        browser.confirm("Release");
        browser.awaitText("#said", "Failed: the task has since been released, or leased to another worker");
        browser.assertAccessible().assertFits().picture("notice");
        browser.press("Pause");
        browser.confirm("Pause");
        browser.awaitText("#said", "Paused.");
        browser.awaitNothing(".notice.done");
        browser.awaitText("#said", "Failed: ");
        browser.keys(Keys.ESCAPE);
        browser.awaitNothing(".notice");
        assertThat(tasks.dequeue(fresh).success()).as("its worker has it still").isTrue();
        browser.assertQuiet();
    }

    @Test
    void noticesAreWithinReachOfTheKeyboard() {
        visit.fill(1);
        browser.go("#/queue?name=tmail", "mail");
        browser.press("Pause");
        browser.confirm("Pause");
        browser.awaitText("#said", "Paused.");
        for (int i = 0; i < 20 && !browser.focused().equals("Dismiss: Paused."); i++) {
            browser.keys(Keys.chord(Keys.SHIFT, Keys.TAB));
        }
        assertThat(browser.focused()).isEqualTo("Dismiss: Paused.");
        browser.keys(Keys.ENTER);
        browser.awaitNothing(".notice");
        assertThat(browser.run("return document.activeElement.id")).isEqualTo("main");
    }

    @Test
    void aTokenIsAskedForAndWhoMayOnlyReadIsOfferedNothingElse() throws Exception {
        Path access = folder.resolve("access");
        Files.writeString(access, line("full", "chief") + line("read", "reader"));
        try (Visit closed = Visit.begin(
                settings -> settings.set("access.file", access.toString()), client -> client.token("token-of-chief"))) {
            Browser other = closed.browser;
            closed.fill(2);
            closed.tasks.lease(LeaseRequest.from(MAIL));
            other.go("#/queue?name=tmail", "mail").awaitText("#login", "This server requires a token");
            other.assertAccessible();
            other.type("#token", "wrong");
            other.press("Log in");
            other.awaitText("#login-said", "The server does not know this token.");
            other.type("#token", "token-of-reader");
            other.press("Log in");
            other.awaitText("#who", "reader (read-only)");
            other.awaitText("tbody", "postman");
            other.press("Show tasks");
            other.awaitText("details summary", "p1");
            assertThat(other.texts("main button")).containsExactly("Show tasks");
            assertThat(other.texts("main th")).doesNotContain("Action");
            other.assertAccessible().assertFits();

            other.run("sessionStorage.setItem('taskmaster.token', 'token-of-chief'); return true");
            other.go("#/queue?name=tmail", "mail").awaitText("#who", "chief");
            other.awaitText("main", "Pause");
            other.press("Show tasks");
            other.awaitText("details summary", "p1");
            assertThat(other.texts("main button"))
                    .containsExactly("Pause", "Delete", "Release", "Show tasks", "Requeue", "Requeue");
        }
    }

    private static String line(String role, String name) {
        return "%s %s sha256:%s%n".formatted(role, name, Hashing.sha256().hashString("token-of-" + name, UTF_8));
    }
}
