package io.taskmaster.testkit.junit;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.ListResult;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.GroupName;
import io.taskmaster.testkit.containers.TaskMasterContainer;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.lifecycle.Startable;

/**
 * A JUnit extension with a TaskMaster in a container: started once for the tests of a class, with all its dependencies.
 * It is empty, healthy and connected when a test begins.
 *
 * <p>Each test has a consistency group of its own, and may have parameters of the types {@link TaskMasterContainer},
 * {@link TaskMasterClient}, {@link BlockingClient} and {@link GroupName}.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final TaskMasterContainerExtension taskmaster = TaskMasterContainerExtension.of(TaskMasterContainer::new);
 * }</pre>
 *
 * <p>Without a Docker daemon, tests are skipped as described at {@link RequiresDocker}. As an instance field, it starts
 * a container for each test.
 *
 * <p>For tests that run sequentially. It needs {@code org.testcontainers:testcontainers}, which is not a dependency of
 * the test kit.
 */
public final class TaskMasterContainerExtension extends ServerExtension<TaskMasterContainer>
        implements ExecutionCondition {

    private final DockerCondition docker = new DockerCondition();
    private final Supplier<TaskMasterContainer> made;

    private TaskMasterContainerExtension(Supplier<TaskMasterContainer> made) {
        super(TaskMasterContainer.class);
        this.made = made;
    }

    /**
     * Returns an extension with this container.
     *
     * @param container called when the container is to be started
     */
    public static TaskMasterContainerExtension of(Supplier<TaskMasterContainer> container) {
        return new TaskMasterContainerExtension(container);
    }

    /** Returns the container of these tests. */
    public TaskMasterContainer container() {
        return running();
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return docker.evaluateExecutionCondition(context);
    }

    @Override
    TaskMasterContainer start() {
        TaskMasterContainer container = made.get();
        container.start();
        return container;
    }

    @Override
    TaskMasterClient clientOf(TaskMasterContainer running) {
        return running.client();
    }

    @Override
    void cleanUp(TaskMasterContainer used) {
        used.heal();
        BlockingClient tasks = used.client().blocking();
        ListRequest all = ListRequest.of(QueueSelector.all());
        for (ListResult remaining = tasks.list(all); !remaining.queues().isEmpty(); remaining = tasks.list(all)) {
            remaining.queues().forEach(queue -> tasks.delete(QueueSelector.of(queue.queue())));
        }
    }

    @Override
    void stop(TaskMasterContainer running) {
        running.stop();
        running.getDependencies().forEach(Startable::stop);
    }
}
