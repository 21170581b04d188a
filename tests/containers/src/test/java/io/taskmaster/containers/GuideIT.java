package io.taskmaster.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.UpdateResult;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.testkit.containers.TaskMasterContainer;
import io.taskmaster.testkit.junit.TaskMasterContainerExtension;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that the guide shows: those of a user with nothing but an image. */
@ExtendWith(ProjectImages.class)
final class GuideIT {

    @RegisterExtension
    static final TaskMasterContainerExtension taskmaster = TaskMasterContainerExtension.of(TaskMasterContainer::new);

    @Test
    void anOrderSurvivesTheServer() {
        QueueKey orders = taskmaster.queue("orders");
        taskmaster.tasks().enqueue(orders, Bytes.of("17"));

        taskmaster.container().kill();
        taskmaster.container().start();

        assertThat(taskmaster.tasks().lease(LeaseRequest.from(orders))).hasSize(1);
    }

    @Test
    void anOrderWaitsForAServerThatIsCutOff() {
        taskmaster.container().cutOff();
        CompletableFuture<UpdateResult> order = taskmaster.client().enqueue(taskmaster.queue("orders"), Bytes.of("17"));
        taskmaster.container().reconnect();

        assertThat(order).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void withoutAnExtension() {
        try (TaskMasterContainer container = new TaskMasterContainer().withSetting("dedup.window", "30s")) {
            container.start();
            UpdateResult done = container.client().blocking().enqueue(QueueKey.of("shop", "orders"), Bytes.of("17"));
            assertThat(done.success()).isTrue();
        }
    }
}
