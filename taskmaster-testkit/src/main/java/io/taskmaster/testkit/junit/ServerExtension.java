package io.taskmaster.testkit.junit;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.io.IOException;
import java.util.Map;
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
 * The server of the tests of a class, started once; and a consistency group for each of them. As an instance field, it starts a server for
 * each test. Single-threaded: owned by the thread that runs the tests.
 */
abstract class ServerExtension<S>
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    /** What a test may have as a parameter. */
    private final Map<Class<?>, Supplier<?>> parts;

    private boolean forAll;
    private int tests;
    private @Nullable S server;
    private @Nullable GroupName group;

    /**
     * @param type what a test names when it wants the server as a parameter
     */
    ServerExtension(Class<S> type) {
        parts = Map.of(
                type,
                this::running,
                TaskMasterClient.class,
                this::client,
                BlockingClient.class,
                this::tasks,
                GroupName.class,
                this::group);
    }

    /** A server that serves. */
    abstract S start();

    abstract TaskMasterClient clientOf(S running);

    /** Says what is to be said about a test that is over, and leaves nothing of it to the next one. */
    abstract void tidyUp(S used) throws IOException;

    abstract void stop(S running);

    /** A client for all that need no other. */
    public final TaskMasterClient client() {
        return clientOf(running());
    }

    /** The same, for tests that wait. */
    public final BlockingClient tasks() {
        return client().blocking();
    }

    /** The consistency group of the test that runs. */
    public final GroupName group() {
        return there(group, "group");
    }

    /** A queue of the test that runs. */
    public final QueueKey queue(String name) {
        return new QueueKey(group(), QueueName.of(name));
    }

    final S running() {
        return there(server, "server");
    }

    private static <T> T there(@Nullable T part, String name) {
        return Objects.requireNonNull(part, () -> name + ": none (expected: a test that runs)");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        forAll = true;
        server = start();
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
        group = null;
        try {
            tidyUp(running());
        } finally {
            if (!forAll) {
                afterAll(context);
            }
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (server != null) {
            stop(server);
            server = null;
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parts.containsKey(parameter.getParameter().getType());
    }

    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Supplier<?> part = parts.get(parameter.getParameter().getType());
        return part == null ? null : part.get();
    }
}
