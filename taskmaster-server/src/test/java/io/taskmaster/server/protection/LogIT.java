package io.taskmaster.server.protection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.joran.spi.JoranException;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.access.Audit;
import io.taskmaster.proxy.access.Role;
import io.taskmaster.proxy.access.Token;
import io.taskmaster.proxy.config.LogFormat;
import io.taskmaster.proxy.logging.Logs;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tests of the log of a server about its callers: it has administrative actions, and no secrets. */
@Timeout(120)
final class LogIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path folder = Path.of("");

    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

    /** Configures logging as a server does, but with TaskMaster's own loggers at their most verbose level. */
    @BeforeEach
    void listen() {
        Logs.forServer(LogFormat.TEXT, _ -> {});
        var all = new AppenderBase<ILoggingEvent>() {
            @Override
            protected void append(ILoggingEvent event) {
                events.add(event);
            }
        };
        all.setContext(context);
        all.start();
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.addAppender(all);
        root.setLevel(Level.TRACE);
    }

    @AfterEach
    void restore() throws JoranException {
        context.reset();
        new ContextInitializer(context).autoConfig();
    }

    @Test
    void administrativeActionsAreOnRecordWhereverTheyComeFrom() throws Exception {
        try (var secured = new SecuredServer(folder);
                var client = TaskMasterClient.builder("127.0.0.1:" + secured.server.rpcPort())
                        .tls(folder.resolve("ca.pem"))
                        .token(secured.worker.secret())
                        .build();
                Visitor worker = secured.visitor(Optional.of(secured.worker.secret()), Optional.empty());
                Visitor reader = secured.visitor(Optional.of(secured.reader.secret()), Optional.empty());
                Visitor nobody = secured.visitor(Optional.empty(), Optional.empty())) {
            client.blocking().configure(QueueKey.of("a\nb"), QueueOptions.DEFAULT);
            client.blocking().delete(QueueSelector.of(QueueKey.of("q")));
            worker.post("/v1/delete", "{\"queues\": {\"group\": \"g\", \"name_re\": \"x.*\"}}");
            worker.post("/v1/delete", "{}");
            reader.post("/v1/delete", "{}");
            nobody.call("taskmaster.v1.TaskMaster/ConfigureQueue");
            nobody.call("taskmaster.v1.TaskMaster/UpdateTasks");
            worker.post("/v1/list", "{}");

            await().atMost(LIMIT).until(() -> audited().size() >= 6);
        }
        assertThat(audited())
                .hasSize(6)
                .satisfiesExactly(
                        line -> assertThat(line)
                                .matches("who=worker address=127.0.0.1:\\d+ what=ConfigureQueue"
                                        + " target=group='' queue='a\\\\nb'.* outcome=OK"),
                        line -> assertThat(line)
                                .contains(
                                        "who=worker", "what=DeleteQueues", "target=group='' queues='q'", "outcome=OK"),
                        line -> assertThat(line)
                                .contains(
                                        "who=worker address=127.0.0.1:",
                                        "target=group='g' pattern='x.*'",
                                        "outcome=OK"),
                        line -> assertThat(line).contains("who=worker", "DeleteQueues", "outcome=EMPTY_SELECTOR"),
                        line -> assertThat(line)
                                .contains("who=reader address=127.0.0.1:", "DeleteQueues", "outcome=PERMISSION_DENIED"),
                        line -> assertThat(line)
                                .contains(
                                        "who=(nobody) address=127.0.0.1:",
                                        "ConfigureQueue",
                                        "outcome=UNAUTHENTICATED"));
    }

    @Test
    void updatesThatTakeTasksWithoutTheirLeaseAreOnRecordUpToAPace() throws Exception {
        try (var secured = new SecuredServer(folder);
                var client = TaskMasterClient.builder("127.0.0.1:" + secured.server.rpcPort())
                        .tls(folder.resolve("ca.pem"))
                        .token(secured.worker.secret())
                        .build();
                Visitor worker = secured.visitor(Optional.of(secured.worker.secret()), Optional.empty())) {
            client.blocking().enqueue(QueueKey.of("q"), Pid.of("p"), Bytes.EMPTY);
            client.blocking().lease(LeaseRequest.from(QueueKey.of("q")));
            worker.post("/v1/update", "{\"release\": [{\"queue\": \"q\", \"pid\": \"p\"}]}");
            LeasedTask leased =
                    client.blocking().lease(LeaseRequest.from(QueueKey.of("q"))).getFirst();
            client.blocking().update(Update.in("").dequeue(leased).build());
            for (int i = 0; i < 200; i++) {
                worker.post("/v1/update", "{\"dequeue\": [{\"queue\": \"q\", \"pid\": \"gone\"}]}");
            }
            await().atMost(LIMIT).until(() -> audited().size() >= 2);
        }
        assertThat(audited().getFirst())
                .matches(
                        "who=worker address=127.0.0.1:\\d+ what=UpdateTasks"
                                + " action=forced target=groups='' queues='q' releases=1 dequeues=0 enqueues=0 outcome=OK left_out_before=\\d+");
        assertThat(audited().get(1)).contains("releases=0 dequeues=1 enqueues=0 outcome=REFUSED");
        assertThat(audited()).hasSizeBetween(2, 150);
    }

    @Test
    void anUpdateThatSaysWhatItDoesIsOnRecordWhateverItChanges() throws Exception {
        try (var secured = new SecuredServer(folder);
                var redriving = TaskMasterClient.builder("127.0.0.1:" + secured.server.rpcPort())
                        .tls(folder.resolve("ca.pem"))
                        .token(secured.worker.secret())
                        .action("redrive")
                        .build();
                Visitor worker = secured.visitor(Optional.of(secured.worker.secret()), Optional.empty())) {
            redriving.blocking().enqueue(QueueKey.of("q"), Pid.of("p"), Bytes.EMPTY);
            LeasedTask leased = redriving
                    .blocking()
                    .lease(LeaseRequest.from(QueueKey.of("q")))
                    .getFirst();
            worker.post(
                    "a' \"b",
                    "/v1/update",
                    "{\"release\": [{\"queue\": \"q\", \"pid\": \"p\", \"lease_id\": \"%s\"}]}"
                            .formatted(leased.leaseId()));
            await().atMost(LIMIT).until(() -> audited().size() >= 2);
        }
        assertThat(audited())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains(
                                        "who=worker",
                                        "action='redrive' target=groups='' queues='q' releases=0 dequeues=0 enqueues=1"
                                                + " outcome=OK"),
                        line -> assertThat(line)
                                .contains(
                                        "who=worker",
                                        "action='a\\' \\\"b' target=groups='' queues='q' releases=1 dequeues=0 enqueues=0"
                                                + " outcome=OK"));
    }

    @Test
    void aServerThatStartsServesAndStopsWarnsOfNothing() throws Exception {
        try (var server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
                var client = TaskMasterClient.connect("127.0.0.1:" + server.rpcPort())) {
            client.blocking().enqueue(QueueKey.of("q"), Pid.of("p"), Bytes.EMPTY);
        }
        assertThat(events)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .extracting(ILoggingEvent::getFormattedMessage)
                .isEmpty();
        assertThat(events).extracting(ILoggingEvent::getMessage).contains("TaskMaster serves", "stopped");
    }

    @Test
    void strangersDoNotFillTheLog() throws Exception {
        try (var secured = new SecuredServer(folder);
                Visitor nobody = secured.visitor(Optional.empty(), Optional.empty())) {
            for (int i = 0; i < 400; i++) {
                nobody.call("taskmaster.v1.TaskMaster/DeleteQueues");
            }
        }
        assertThat(audited()).hasSizeBetween(1, 200);
    }

    @Test
    void noSecretIsSaidAtAnyLevel() throws Exception {
        Token unknown = Token.make(Role.FULL, "worker");
        String key;
        String tokens;
        try (var secured = new SecuredServer(folder)) {
            key = Files.readString(folder.resolve("server.key"));
            tokens = secured.worker.secret() + " " + secured.reader.secret();
            for (String token : List.of(secured.worker.secret(), secured.reader.secret(), unknown.secret())) {
                try (Visitor visitor = secured.visitor(Optional.of(token), Optional.empty())) {
                    visitor.call("taskmaster.v1.TaskMaster/ListQueues");
                    visitor.call("taskmaster.v1.TaskMaster/DeleteQueues");
                    visitor.call("taskmaster.v1.TaskMaster/Nothing");
                    visitor.get("/v1/list");
                    visitor.get("/nothing");
                    visitor.post("/v1/delete", "{}");
                    visitor.post("/v1/delete", "no JSON");
                }
            }
            // Invalid files, with secrets in the wrong places.
            Files.writeString(folder.resolve("access"), "full " + secured.worker.secret());
            Files.writeString(folder.resolve("server.pem"), key);
            await().atMost(LIMIT)
                    .until(() -> log().contains("access.file, line 1") && log().contains("tls.certificate"));
        }
        assertThat(events).isNotEmpty();
        for (String secret : tokens.split(" ", -1)) {
            assertThat(log()).doesNotContain(secret);
        }
        assertThat(log()).doesNotContain(unknown.secret(), key.lines().toList().get(1));
    }

    private List<String> audited() {
        return events.stream()
                .filter(event -> event.getLoggerName().equals(Audit.LOGGER))
                .map(event -> event.getKeyValuePairs().stream()
                        .map(pair -> pair.key + "=" + pair.value)
                        .collect(Collectors.joining(" ")))
                .toList();
    }

    private String log() {
        return events.stream()
                .map(event -> event.getFormattedMessage() + " " + event.getKeyValuePairs() + " "
                        + (event.getThrowableProxy() == null
                                ? ""
                                : ThrowableProxyUtil.asString(event.getThrowableProxy())))
                .collect(Collectors.joining("\n"));
    }
}
