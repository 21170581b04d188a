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
 * A TaskMaster in a container for the tests of a class: started once, with all that it depends on, and empty, well and connected when a test
 * begins. Each test has a consistency group of its own, and may ask for its parts as parameters: {@link TaskMasterContainer},
 * {@link TaskMasterClient}, {@link BlockingClient}, {@link GroupName}.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final TaskMasterContainerExtension taskmaster = TaskMasterContainerExtension.of(TaskMasterContainer::new);
 * }</pre>
 *
 * <p>Tests are skipped where there is no Docker daemon, as {@link RequiresDocker} says. As an instance field, it starts a container for each
 * test.
 *
 * <p>For tests that run one after the other. It needs {@code org.testcontainers:testcontainers}, which the test kit does not bring.
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
     * With this container.
     *
     * @param container asked when it is to be started
     */
    public static TaskMasterContainerExtension of(Supplier<TaskMasterContainer> container) {
        return new TaskMasterContainerExtension(container);
    }

    /** The container of these tests. */
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
    void tidyUp(TaskMasterContainer used) {
        used.heal();
        BlockingClient tasks = used.client().blocking();
        ListRequest all = ListRequest.of(QueueSelector.all());
        for (ListResult left = tasks.list(all); !left.queues().isEmpty(); left = tasks.list(all)) {
            left.queues().forEach(queue -> tasks.delete(QueueSelector.of(queue.queue())));
        }
    }

    @Override
    void stop(TaskMasterContainer running) {
        running.stop();
        running.getDependencies().forEach(Startable::stop);
    }
}
