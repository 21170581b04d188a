package io.taskmaster.testkit.junit;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.testkit.TestServer;
import io.taskmaster.testkit.TestServerBuilder;
import io.taskmaster.testkit.history.HistoryWriter;
import io.taskmaster.testkit.oracle.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

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
public final class TaskMasterExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    private final Supplier<TestServerBuilder> builder;
    private boolean judges = true;
    private boolean forAll;
    private int tests;
    private @Nullable TestServer server;
    private @Nullable GroupName group;

    private TaskMasterExtension(Supplier<TestServerBuilder> builder) {
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
        return there(server, "server");
    }

    /** A client for all that need no other. */
    public TaskMasterClient client() {
        return server().client();
    }

    /** The same, for tests that wait. */
    public BlockingClient tasks() {
        return client().blocking();
    }

    /** The consistency group of the test that runs. */
    public GroupName group() {
        return there(group, "group");
    }

    /** A queue of the test that runs. */
    public QueueKey queue(String name) {
        return new QueueKey(group(), QueueName.of(name));
    }

    private static <T> T there(@Nullable T part, String name) {
        return Objects.requireNonNull(part, () -> name + ": none (expected: a test that runs)");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        forAll = true;
        server = start();
    }

    private TestServer start() {
        TestServerBuilder asked = builder.get();
        return (judges ? asked.recording() : asked).start();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (server == null) {
            server = start();
        }
        tests++;
        group = GroupName.of("%s.%s %d"
                .formatted(
                        context.getRequiredTestClass().getSimpleName(),
                        context.getRequiredTestMethod().getName(),
                        tests));
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        TestServer used = server();
        group = null;
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
            if (!forAll) {
                afterAll(context);
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
    public void afterAll(ExtensionContext context) {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestServer.class
                || type == TaskMasterClient.class
                || type == BlockingClient.class
                || type == GroupName.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == TestServer.class) {
            return server();
        }
        if (type == TaskMasterClient.class) {
            return client();
        }
        return type == BlockingClient.class ? tasks() : group();
    }
}
