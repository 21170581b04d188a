package io.taskmaster.testkit.junit;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.GroupName;
import io.taskmaster.testkit.TestServer;
import io.taskmaster.testkit.TestServerBuilder;
import io.taskmaster.testkit.history.HistoryWriter;
import io.taskmaster.testkit.oracle.verdict.OracleVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * A JUnit extension with a TaskMaster in the process: started once for the tests of a class, and empty when a test
 * begins.
 *
 * <p>Each test has a consistency group of its own, and may have parameters of the types {@link TestServer},
 * {@link TaskMasterClient}, {@link BlockingClient} and {@link GroupName}.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final TaskMasterExtension taskmaster = TaskMasterExtension.inMemory();
 * }</pre>
 *
 * <p>The calls of all clients during a test are recorded, and judged by the oracle when the test is over. If a promise
 * of TaskMaster was broken, the test fails, whatever its own result. As an instance field, the extension starts a
 * server for each test.
 *
 * <p>For tests that run sequentially.
 */
public final class TaskMasterExtension extends ServerExtension<TestServer> {

    private final Supplier<TestServerBuilder> builder;
    private boolean judges = true;

    private TaskMasterExtension(Supplier<TestServerBuilder> builder) {
        super(TestServer.class);
        this.builder = builder;
    }

    /** Returns an extension with a server that keeps its data in memory. */
    public static TaskMasterExtension inMemory() {
        return of(TestServer::builder);
    }

    /**
     * Returns an extension with another server.
     *
     * @param builder called when the server is started: a {@code @TempDir} is set by then
     */
    public static TaskMasterExtension of(Supplier<TestServerBuilder> builder) {
        return new TaskMasterExtension(builder);
    }

    /** Turns the oracle off, for tests with too many calls to keep in memory. */
    public TaskMasterExtension unjudged() {
        judges = false;
        return this;
    }

    /** Returns the server of these tests. */
    public TestServer server() {
        return running();
    }

    @Override
    TestServer start() {
        TestServerBuilder configured = builder.get();
        return (judges ? configured.recording() : configured).start();
    }

    @Override
    TaskMasterClient clientOf(TestServer running) {
        return running.client();
    }

    @Override
    void cleanUp(TestServer used) throws IOException {
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
        OracleVerdict verdict = used.verdict();
        if (!verdict.isClean()) {
            Path file = Files.createTempDirectory("taskmaster-history-").resolve("history.jsonl");
            HistoryWriter.write(file, used.history());
            throw new AssertionError(
                    "a guarantee of TaskMaster was violated:\n%s\nhistory of all calls: %s".formatted(verdict, file));
        }
    }

    @Override
    void stop(TestServer running) {
        running.close();
    }
}
