package io.taskmaster.page;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.TaskMasterClientBuilder;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.config.SettingsReader;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.config.ServerConfig;
import java.util.function.UnaryOperator;

/** A server of its own, a client of it, and a browser that has not opened a page yet. Single-threaded. */
final class Visit implements AutoCloseable {

    static final QueueKey MAIL = QueueKey.of("", "mail");

    final TaskMasterServer server;
    final TaskMasterClient client;
    final BlockingClient tasks;
    final Browser browser;

    private Visit(TaskMasterServer server, TaskMasterClient client, Browser browser) {
        this.server = server;
        this.client = client;
        this.tasks = client.blocking();
        this.browser = browser;
    }

    static Visit begin() throws Exception {
        return begin(settings -> settings, client -> client);
    }

    static Visit begin(
            UnaryOperator<SettingsReader<ServerConfig>> settings, UnaryOperator<TaskMasterClientBuilder> client)
            throws Exception {
        SettingsReader<ServerConfig> free = ServerConfig.reader(1L << 30)
                .set("listen", "127.0.0.1:0")
                .set("http", "127.0.0.1:0")
                .set("store", "memory");
        TaskMasterServer server = TaskMasterServer.start(settings.apply(free).read(), Nodes.factory());
        try {
            return new Visit(
                    server,
                    client.apply(TaskMasterClient.builder("127.0.0.1:" + server.rpcPort())
                                    .worker("postman"))
                            .build(),
                    Browser.open(server.httpPort()));
        } catch (RuntimeException | Error noBrowser) {
            server.close();
            throw noBrowser;
        }
    }

    /** Enqueues the tasks p1, p2 and so on in {@link #MAIL}. */
    void fill(int count) {
        for (int i = 1; i <= count; i++) {
            tasks.enqueue(MAIL, Pid.of("p" + i), Bytes.of("data " + i));
        }
    }

    QueueDescription describe(QueueKey queue, int sample) {
        return tasks.describe(DescribeRequest.of(QueueSelector.of(queue)).leasedSample(sample))
                .queues()
                .getFirst();
    }

    @Override
    public void close() {
        browser.close();
        client.close();
        server.close();
    }
}
