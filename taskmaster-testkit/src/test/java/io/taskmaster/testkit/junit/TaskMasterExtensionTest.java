package io.taskmaster.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.testkit.CallKind;
import io.taskmaster.testkit.TestServer;
import io.taskmaster.testkit.history.HistoryReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests of the extension on classes that JUnit runs inside of these tests. */
final class TaskMasterExtensionTest {

    @Test
    void everyTestHasAGroupOfItsOwnAndFindsTheServerEmpty() {
        assertThat(run(FindsItEmpty.class)).satisfies(summary -> {
            assertThat(summary.getFailures()).isEmpty();
            assertThat(summary.getTestsSucceededCount()).isEqualTo(3);
        });
        assertThat(FindsItEmpty.GROUPS).hasSize(3);
        assertThat(FindsItEmpty.TARGETS).as("one server for all").hasSize(1);
        assertThatThrownBy(FindsItEmpty.TASKMASTER::server)
                .isInstanceOf(NullPointerException.class)
                .hasMessage("server: no test is running (expected: use within a test)");
    }

    @Test
    void aTestThatLeavesTheServerDownOrWithFaultsSpoilsNothing() {
        assertThat(run(LeavesItDown.class).getTestsSucceededCount()).isEqualTo(2);
    }

    @Test
    void aTestThatWasShownABrokenPromiseFails() throws IOException {
        TestExecutionSummary summary = run(Deceived.class);

        assertThat(summary.getFailures()).hasSize(1);
        String message =
                String.valueOf(summary.getFailures().getFirst().getException().getMessage());
        assertThat(message).contains("a guarantee of TaskMaster was violated");
        Path history = Path.of(message.substring(message.lastIndexOf(": ") + 2));
        assertThat(HistoryReader.read(history).size()).isGreaterThanOrEqualTo(5);
        Files.delete(history);
        Files.delete(history.resolveSibling(""));
    }

    @Test
    void aTestThatIsNotToBeJudgedIsNot() {
        assertThat(run(DeceivedUnjudged.class).getTestsSucceededCount()).isEqualTo(1);
    }

    @Test
    void anExtensionOfAnInstanceStartsAServerForEachTest() {
        assertThat(run(ServerForEachTest.class).getTestsSucceededCount()).isEqualTo(2);
        assertThat(ServerForEachTest.TARGETS).hasSize(2);
    }

    private static TestExecutionSummary run(Class<?> tests) {
        var listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request().selectors(selectClass(tests)).build(), listener);
        return listener.getSummary();
    }

    static final class FindsItEmpty {

        static final Set<GroupName> GROUPS = new HashSet<>();
        static final Set<String> TARGETS = new HashSet<>();

        @RegisterExtension
        static final TaskMasterExtension TASKMASTER = TaskMasterExtension.inMemory();

        @RepeatedTest(3)
        void findsItEmpty(TestServer server, TaskMasterClient client, BlockingClient tasks, GroupName group) {
            assertThat(tasks.list(ListRequest.of(QueueSelector.all())).queues()).isEmpty();
            GROUPS.add(group);
            TARGETS.add(server.target());
            client.enqueue(TASKMASTER.queue("left over"), Bytes.EMPTY).join();
            client.enqueue(QueueKey.of("another", "left over"), Bytes.EMPTY).join();
        }
    }

    static final class LeavesItDown {

        @TempDir
        static Path folder = Path.of("");

        @RegisterExtension
        static final TaskMasterExtension TASKMASTER =
                TaskMasterExtension.of(() -> TestServer.builder().onDisk(folder));

        @RepeatedTest(2)
        void leavesItDown(TestServer server, BlockingClient tasks) {
            assertThat(tasks.enqueue(TASKMASTER.queue("q"), Bytes.EMPTY).success())
                    .isTrue();
            server.faults().refuse(CallKind.ANY, 100);
            server.crash();
        }
    }

    static final class Deceived {

        @RegisterExtension
        static final TaskMasterExtension TASKMASTER =
                TaskMasterExtension.of(() -> TestServer.builder().intercept(new ForgetfulServer()));

        @Test
        void seesATaskAgainThatItHasDequeued() {
            dequeueTwice(TASKMASTER);
        }
    }

    static final class DeceivedUnjudged {

        @RegisterExtension
        static final TaskMasterExtension TASKMASTER = TaskMasterExtension.of(
                        () -> TestServer.builder().intercept(new ForgetfulServer()))
                .unjudged();

        @Test
        void seesATaskAgainThatItHasDequeued() {
            dequeueTwice(TASKMASTER);
        }
    }

    static final class ServerForEachTest {

        static final Set<String> TARGETS = new HashSet<>();

        @RegisterExtension
        final TaskMasterExtension taskmaster = TaskMasterExtension.inMemory();

        @RepeatedTest(2)
        void hasItsOwn() {
            TARGETS.add(taskmaster.server().target());
        }
    }

    private static void dequeueTwice(TaskMasterExtension taskmaster) {
        BlockingClient tasks = taskmaster.tasks();
        QueueKey queue = taskmaster.queue("q");
        tasks.enqueue(queue, Pid.of("1"), Bytes.EMPTY);
        for (int i = 0; i < 2; i++) {
            LeasedTask task = tasks.lease(LeaseRequest.from(queue).length(Duration.ofMinutes(1)))
                    .getFirst();
            assertThat(tasks.dequeue(task).success()).isTrue();
            taskmaster.server().advance(Duration.ofMinutes(1));
        }
    }
}
