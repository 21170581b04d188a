package io.taskmaster.testkit.junit;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.GroupName;
import io.taskmaster.testkit.TestServer;
import io.taskmaster.testkit.TestServerBuilder;
import io.taskmaster.testkit.history.HistoryWriter;
import io.taskmaster.testkit.oracle.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * A TaskMaster for the tests of a class: started once, in this process, and empty when a test begins. Each test has a consistency group of
 * its own, and may ask for its parts as parameters: {@link TestServer}, {@link TaskMasterClient}, {@link BlockingClient}, {@link GroupName}.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final TaskMasterExtension taskmaster = TaskMasterExtension.inMemory();
 * }</pre>
 *
 * <p>Everything that clients ask during a test, and are told, is recorded, and judged by the oracle when the test is over. A test that was
 * shown a broken promise of TaskMaster fails, whatever it found itself. As an instance field, it starts a server for each test.
 *
 * <p>For tests that run one after the other.
 */
public final class TaskMasterExtension extends ServerExtension<TestServer> {

    private final Supplier<TestServerBuilder> builder;
    private boolean judges = true;

    private TaskMasterExtension(Supplier<TestServerBuilder> builder) {
        super(TestServer.class);
        this.builder = builder;
    }

    /** With a server that keeps its data in memory. */
    public static TaskMasterExtension inMemory() {
        return of(TestServer::builder);
    }

    /**
     * With another server.
     *
     * @param builder asked when the server is started: a {@code @TempDir} is there by then
     */
    public static TaskMasterExtension of(Supplier<TestServerBuilder> builder) {
        return new TaskMasterExtension(builder);
    }

    /** The same, without the oracle: for tests of so many calls that they are not to be kept in memory. */
    public TaskMasterExtension unjudged() {
        judges = false;
        return this;
    }

    /** The server of these tests. */
    public TestServer server() {
        return running();
    }

    @Override
    TestServer start() {
        TestServerBuilder asked = builder.get();
        return (judges ? asked.recording() : asked).start();
    }

    @Override
    TaskMasterClient clientOf(TestServer running) {
        return running.client();
    }

    @Override
    void tidyUp(TestServer used) throws IOException {
        try {
            used.faults().clear();
            used.start();
            if (judges) {
                judge(used);
            }
        } finally {
            used.deleteAllQueues();
            if (judges) {
                used.forgetHistory();
            }
        }
    }

    private static void judge(TestServer used) throws IOException {
        Verdict verdict = used.verdict();
        if (!verdict.isClean()) {
            Path file = Files.createTempDirectory("taskmaster-history-").resolve("history.jsonl");
            HistoryWriter.write(file, used.history());
            throw new AssertionError(
                    "a promise of TaskMaster was broken:\n%s\nwhat was asked and told: %s".formatted(verdict, file));
        }
    }

    @Override
    void stop(TestServer running) {
        running.close();
    }
}
