package io.taskmaster.cli.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.cli.FakeScreen;
import io.taskmaster.cli.screen.Key;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of {@code top} with a fake screen, against a whole server. */
final class LiveTopIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final FakeScreen screen = new FakeScreen();
    private final String address;
    private final TaskMasterClient client;
    private TaskMasterServer server;
    private CompletableFuture<Void> top = CompletableFuture.completedFuture(null);

    LiveTopIT() throws StartException {
        server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
        address = "127.0.0.1:" + server.rpcPort();
        client = TaskMasterClient.builder(address).maxRetries(0).build();
    }

    @BeforeEach
    void start() {
        UpdateBuilder update = Update.in(GroupName.EMPTY);
        for (int queue = 0; queue < 100; queue++) {
            for (int task = 0; task < (queue == 42 ? 5 : 1); task++) {
                update.enqueue(QueueName.of("q%02d".formatted(queue)), Bytes.EMPTY);
            }
        }
        assertThat(client.blocking().update(update.build()).success()).isTrue();
        TopView view = new TopView(QueueSelector.allIn(GroupName.EMPTY), GroupName.EMPTY, TopOrder.AVAILABLE, false);
        LiveTop live = new LiveTop(client, screen, Clock.system(), address, Duration.ofMillis(100), view);
        top = CompletableFuture.runAsync(live::run);
    }

    @AfterEach
    void close() {
        screen.press(Key.END);
        top.join();
        client.close();
        server.close();
    }

    @Test
    void queuesAreShownAsTheyChange() {
        awaitFirstRow("q42 .* 5 .*");
        for (int i = 0; i < 7; i++) {
            enqueue("late");
        }
        awaitFirstRow("late .* 7 .*");
        awaitShown("queues 101, available 111");
    }

    @Test
    void keysChangeTheOrderAndWhatIsShown() {
        awaitFirstRow("q42 .*");
        screen.press('n');
        awaitFirstRow("q00 .*");
        screen.press('r');
        awaitFirstRow("q99 .*");
        "/q7.".chars().forEach(key -> screen.press((char) key));
        awaitShown("match (RE2, whole name): q7._");
        screen.press(Key.ENTER);
        awaitFirstRow("q79 .*");
        awaitShown("queues 10,");
        screen.press('?');
        awaitShown("reverse the order");
        screen.press('q');
        await().atMost(TIMEOUT).until(top::isDone);
    }

    @Test
    void aPatternThatIsNoneIsSaidAndMayBeMended() {
        awaitFirstRow("q42 .*");
        "/(".chars().forEach(key -> screen.press((char) key));
        screen.press(Key.ENTER);
        awaitShown("BAD_PATTERN");
        screen.press('/');
        screen.press(Key.BACKSPACE);
        screen.press(Key.ENTER);
        await().atMost(TIMEOUT).until(() -> !screen.shown().contains("BAD_PATTERN"));
    }

    @Test
    void aLargerScreenShowsMoreQueues() {
        screen.resize(60, 10);
        await().atMost(TIMEOUT).until(() -> rows() == 6);
        screen.resize(60, 50);
        await().atMost(TIMEOUT).until(() -> rows() == 46);
    }

    @Test
    void aServerThatIsGoneIsSaidOverWhatWasLastSeenUntilItIsBack() throws StartException {
        awaitFirstRow("q42 .*");
        server.close();
        awaitShown("NOT_CONNECTED");
        assertThat(screen.shown()).contains("q42");

        server = TaskMasterServer.start(
                TestConfig.reader().set("listen", address).read(), Nodes.factory());
        enqueue("afterwards");
        awaitFirstRow("afterwards .*");
        assertThat(screen.shown()).doesNotContain("NOT_CONNECTED");
    }

    private void enqueue(String queue) {
        await().atMost(TIMEOUT)
                .ignoreExceptions()
                .until(() -> client.blocking()
                        .update(Update.in(GroupName.EMPTY)
                                .enqueue(QueueName.of(queue), Bytes.EMPTY)
                                .build())
                        .success());
    }

    private void awaitShown(String text) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(screen.shown()).contains(text));
    }

    private void awaitFirstRow(String pattern) {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(screen.shown().lines().skip(TopPage.HEADER_LINES))
                        .first()
                        .asString()
                        .matches(pattern));
    }

    private long rows() {
        return screen.shown().lines().skip(TopPage.HEADER_LINES).count();
    }
}
