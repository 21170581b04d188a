package io.taskmaster.testkit.guide;

import static io.taskmaster.testkit.pipeline.PipelineAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.Sink;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.files.FileReply;
import io.taskmaster.stage.files.FileStage;
import io.taskmaster.stage.files.FileWrite;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.local.Reservation;
import io.taskmaster.stage.local.admission.AdmissionRule;
import io.taskmaster.stage.metrics.QueueProfile;
import io.taskmaster.stage.net.Endpoint;
import io.taskmaster.stage.net.Framing;
import io.taskmaster.stage.net.Message;
import io.taskmaster.stage.net.PeerConnection;
import io.taskmaster.stage.net.Sockets;
import io.taskmaster.stage.time.Alarm;
import io.taskmaster.stage.time.Alarms;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of the snippets in the guide to the stage library that need no server: each is compiled and run here. That they
 * are those of the guide, {@link StageGuideTest} checks.
 */
final class LocalStageGuideTest {

    @Test
    void roomInTwoStages() {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        try (LocalStages local = LocalStages.start()) {
            LocalStage<String> render =
                    local.add("render", stage -> stage.handler(seen::add).boundary(10, boundary -> boundary));
            LocalStage<String> audit =
                    local.add("audit", stage -> stage.handler(seen::add).boundary(10, boundary -> boundary));
            String event = "event";
            try (Reservation room = new Reservation()) {
                if (room.claim(render, event).isEmpty()
                        && room.claim(audit, event).isEmpty()) {
                    room.commit();
                }
            }
        }
        assertThat(seen).containsExactly("event", "event");
    }

    @Test
    void settingsThatFindThemselves() {
        Dictionary dictionary = new Dictionary(Collections.synchronizedList(new ArrayList<>()));
        try (LocalStages local = LocalStages.start()) {
            LocalStage<String> lookUp = local.add(
                    "look up",
                    stage -> stage.batchHandler(
                                    Controller.batching(1, 500), (words, answer) -> dictionary.lookUpAll(words))
                            .boundary(
                                    10_000,
                                    boundary -> boundary.blocking()
                                            .concurrency(Controller.threadPool(1, 64))
                                            .serviceClass(this::urgency)
                                            .admission(AdmissionRule.responseTimes(Map.of(
                                                    ServiceClass.INTERACTIVE, Duration.ofMillis(100),
                                                    ServiceClass.BULK, Duration.ofSeconds(1))))));
            for (int i = 0; i < 1_000; i++) {
                assertThat(lookUp.offer("word " + i).isTaken()).isTrue();
            }
        }
        assertThat(dictionary.found()).hasSize(1_000);
    }

    @Test
    void greetingsOverSockets() throws IOException {
        List<String> greetings = Collections.synchronizedList(new ArrayList<>());
        Sink<Message> answers = message -> {
            greetings.add(message.payload().toString());
            message.done();
            return Taken.ACCEPTED;
        };
        try (LocalStages local = LocalStages.start();
                Sockets sockets = Sockets.start()) {
            LocalStage<Message> greet = local.add(
                    "greet",
                    stage -> stage.handler(message -> message.answer(Bytes.of("hello " + message.payload())))
                            .boundary(1_000, boundary -> boundary));
            Endpoint server = sockets.endpoint(
                    "server",
                    Framing.lines(1_024),
                    greet,
                    settings -> settings.maxConnections(10_000).idle(Duration.ofMinutes(5)));
            InetSocketAddress address = server.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Endpoint client = sockets.endpoint("client", Framing.lines(1_024), answers);
            PeerConnection connection = client.connect(address).join();
            connection.send(Bytes.of("ann"));
            await().until(() -> greetings.contains("hello ann"));
        }
    }

    @Test
    void filesAreReadAndWritten(@TempDir Path folder) throws IOException {
        Path log = Files.writeString(folder.resolve("log"), "one\ntwo\n");
        Path report = folder.resolve("report");
        List<FileReply> found = Collections.synchronizedList(new ArrayList<>());
        Sink<FileReply> replies = reply -> {
            found.add(reply);
            return Taken.ACCEPTED;
        };
        try (LocalStages local = LocalStages.start()) {
            FileStage files = FileStage.add(
                    local, "files", 1_000, 64 << 20, boundary -> boundary.concurrency(Controller.threadPool(1, 32)));
            files.lines(log, 10_000, replies);
            files.write(FileWrite.replace(report, Bytes.of("all is well")).force(), replies);
        }
        assertThat(found)
                .contains(new FileReply.Line(log, 2, Bytes.of("two")), new FileReply.Written(report, 11))
                .hasSize(4);
        assertThat(report).hasContent("all is well");
    }

    @Test
    void eventsThatComeByThemselves() {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        try (LocalStages local = LocalStages.start()) {
            LocalStage<String> cleaner = local.add("cleaner", stage -> stage.handler(seen::add));
            try (Alarms alarms = Alarms.start()) {
                Alarm tick = alarms.every(Duration.ofMillis(10), "clean up", cleaner);
                alarms.after(Duration.ofSeconds(5), "give up", cleaner);
                await().until(() -> seen.size() > 2);
                assertThat(tick.cancel()).isTrue();
            }
        }
        assertThat(seen).containsOnly("clean up");
    }

    @Test
    void queuesOverTime(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("queues.csv");
        try (LocalStages local = LocalStages.start()) {
            try (QueueProfile profile = QueueProfile.of(local, Duration.ofMillis(100))) {
                work();
                Files.writeString(file, profile.csv());
            }
        }
        assertThat(file).content().startsWith("seconds");
    }

    private record Dictionary(List<String> found) {

        void lookUpAll(List<String> words) {
            found.addAll(words);
        }
    }

    private ServiceClass urgency(String word) {
        return word.endsWith("0") ? ServiceClass.INTERACTIVE : ServiceClass.BULK;
    }

    private static void work() {}
}
