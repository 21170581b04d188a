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
 * A JUnit extension with a server that is started once for the tests of a class, and a consistency group for each test.
 * As an instance field, it starts a server for each test. Single-threaded: owned by the thread that runs the tests.
 */
public abstract class ServerExtension<S>
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    /** The types of parameters that a test may have, and their values. */
    private final Map<Class<?>, Supplier<?>> parts;

    private boolean forAll;
    private int tests;
    private @Nullable S server;
    private @Nullable GroupName group;

    /** @param type the type of a parameter for the server */
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

    /** Starts a server. Blocks until it serves. */
    abstract S start();

    abstract TaskMasterClient clientOf(S running);

    /** Checks a test that is over, and removes all that it left behind. */
    abstract void cleanUp(S used) throws IOException;

    abstract void stop(S running);

    /** Returns a client, shared by all tests. */
    public final TaskMasterClient client() {
        return clientOf(running());
    }

    /** Returns the same client with blocking calls. */
    public final BlockingClient tasks() {
        return client().blocking();
    }

    /** Returns the consistency group of the running test. */
    public final GroupName group() {
        return requirePresent(group, "group");
    }

    /** Returns a queue of the running test. */
    public final QueueKey queue(String name) {
        return new QueueKey(group(), QueueName.of(name));
    }

    final S running() {
        return requirePresent(server, "server");
    }

    private static <T> T requirePresent(@Nullable T part, String name) {
        return Objects.requireNonNull(part, () -> name + ": no test is running (expected: use within a test)");
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
            cleanUp(running());
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
