package io.taskmaster.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.testkit.TestServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class QuickstartTest {

    @Test
    void everyNameIsGreetedAndNoTaskIsLeft() throws InterruptedException {
        List<String> printed = new CopyOnWriteArrayList<>();
        try (TestServer server = TestServer.inMemory()) {
            Quickstart.run(server.target(), printed::add);

            ListRequest all = ListRequest.of(QueueSelector.all());
            assertThat(server.client().blocking().list(all).queues()).isEmpty();
        }
        assertThat(printed).containsExactlyInAnyOrder("Hello, Ada!", "Hello, Edsger!", "Hello, Grace!");
    }
}
