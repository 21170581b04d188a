package io.taskmaster.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.config.SettingsReader;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.config.ServerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the page of the node, in a real browser, while the node works on a disk. */
final class NodePageIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final QueueKey MAIL = QueueKey.of("", "mail");
    private static final int PARTITIONS = 3;

    @TempDir
    private Path folder;

    @Test
    void whatTheNodeIsAtIsSeenWhileItWorks() throws Exception {
        SettingsReader<ServerConfig> settings = ServerConfig.reader(1L << 30)
                .set("listen", "127.0.0.1:0")
                .set("http", "127.0.0.1:0")
                .set("data", folder.resolve("data").toString())
                .set("partitions", String.valueOf(PARTITIONS));
        AtomicBoolean over = new AtomicBoolean();
        try (TaskMasterServer server = TaskMasterServer.start(settings.read(), Nodes.factory());
                TaskMasterClient client = TaskMasterClient.builder("127.0.0.1:" + server.rpcPort())
                        .build();
                Browser browser = Browser.open(server.httpPort()).size(1280, 1600)) {
            Thread worker = Thread.ofVirtual().start(() -> work(client.blocking(), over));
            try {
                browser.go("#/node", "Node").awaitText("main", "Rates, means and percentiles cover the last ");
                browser.awaitText(
                        "main", "Serving\n" + PARTITIONS + "\nOpening\n0\nDraining\n0\nStopped\n0\nDamaged\n0");
                browser.awaitText("main", "Served from memory\n100.0 %");
                await().atMost(TIMEOUT)
                        .untilAsserted(() -> assertThat(browser.text("main"))
                                .containsPattern("Rows written\n[1-9][0-9.,]*/s")
                                .containsPattern("Flush rounds\n[0-9.,]+/s\nMean flush duration\n[1-9][0-9.,]* (ms|s)")
                                .containsPattern("To replay after a crash\n[0-9.,]+ [KM]?i?B"));
                await().atMost(TIMEOUT)
                        .untilAsserted(() -> assertThat(browser.texts("tbody tr"))
                                .anyMatch(row -> row.matches(
                                        "put_if_absent\tdone(\t[0-9.,]+){1}(\t(over )?[0-9.,]+ (µs|ms|s)){4}"))
                                .anyMatch(row -> row.matches(
                                        "UpdateTasks\tok\tfalse(\t[0-9.,]+){1}(\t(over )?[0-9.,]+ (µs|ms|s)){4}"))
                                .anyMatch(row -> row.startsWith("Log not yet durable\t")));
                browser.assertAccessible().assertFits().assertQuiet();
                browser.size(390, 844).assertFits();
            } finally {
                over.set(true);
                worker.join();
            }
        }
    }

    private static void work(BlockingClient tasks, AtomicBoolean over) {
        while (!over.get()) {
            tasks.enqueue(MAIL, Bytes.of("data"));
            LeasedTask task = tasks.lease(LeaseRequest.from(MAIL)).getFirst();
            tasks.update(Update.in("").dequeue(task).build());
        }
    }
}
