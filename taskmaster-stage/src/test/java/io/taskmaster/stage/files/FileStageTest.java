package io.taskmaster.stage.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.Timer;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.Sink;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.files.FileReply.Cause;
import io.taskmaster.stage.files.FileReply.Chunk;
import io.taskmaster.stage.files.FileReply.Content;
import io.taskmaster.stage.files.FileReply.End;
import io.taskmaster.stage.files.FileReply.Failed;
import io.taskmaster.stage.files.FileReply.Line;
import io.taskmaster.stage.files.FileReply.Written;
import io.taskmaster.stage.local.LocalStageBuilder;
import io.taskmaster.stage.local.LocalStages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileStageTest {

    private static final int MEMORY = 1_000;

    @TempDir
    private Path folder;

    private final LocalStages local = LocalStages.start();
    private final FileStage files =
            FileStage.add(local, "files", 100, MEMORY, boundary -> boundary.concurrency(Controller.threadPool(1, 4)));
    private final List<FileReply> replies = Collections.synchronizedList(new ArrayList<>());
    private final Sink<FileReply> sink = reply -> {
        replies.add(reply);
        return Taken.ACCEPTED;
    };

    @AfterEach
    void assertNothingInFlight() {
        local.close();
        assertThat(files.bytesInHand()).isZero();
    }

    private FileReply reply(Admission admission) {
        assertThat(admission).isEqualTo(Taken.ACCEPTED);
        await().until(() -> !replies.isEmpty());
        return replies.removeFirst();
    }

    private List<FileReply> repliesToEnd(Admission admission) {
        assertThat(admission).isEqualTo(Taken.ACCEPTED);
        await().until(() ->
                !replies.isEmpty() && !(replies.getLast() instanceof Line || replies.getLast() instanceof Chunk));
        return List.copyOf(replies);
    }

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("file"), content);
    }

    @Test
    void fileIsReadAsAWhole() throws IOException {
        Path file = file("content");
        assertThat(reply(files.read(file, 7, sink))).isEqualTo(new Content(file, Bytes.of("content")));
        assertThat(reply(files.read(file, 6, sink)))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.TOO_LARGE));
    }

    @Test
    void fileIsReadInChunks() throws IOException {
        Path file = file("content");
        assertThat(repliesToEnd(files.chunks(file, 3, sink)))
                .containsExactly(
                        new Chunk(file, 0, Bytes.of("con")),
                        new Chunk(file, 3, Bytes.of("ten")),
                        new Chunk(file, 6, Bytes.of("t")),
                        new End(file, 3));
    }

    @Test
    void fileIsReadByLines() throws IOException {
        Path file = file("one\r\n\nthree");
        assertThat(repliesToEnd(files.lines(file, 5, sink)))
                .containsExactly(
                        new Line(file, 1, Bytes.of("one")),
                        new Line(file, 2, Bytes.EMPTY),
                        new Line(file, 3, Bytes.of("three")),
                        new End(file, 3));
        replies.clear();
        assertThat(repliesToEnd(files.lines(file, 4, sink)))
                .hasSize(3)
                .last()
                .isInstanceOfSatisfying(Failed.class, failed -> {
                    assertThat(failed.cause()).isEqualTo(Cause.TOO_LARGE);
                    assertThat(failed.text()).contains("line 3: too large (expected: at most 4 bytes)");
                });
    }

    @Test
    void fileIsCreatedOnceReplacedAndAddedTo() throws IOException {
        Path file = folder.resolve("new");
        assertThat(reply(files.write(FileWrite.create(file, Bytes.of("a")).force(), sink)))
                .isEqualTo(new Written(file, 1));
        assertThat(reply(files.write(FileWrite.create(file, Bytes.of("b")), sink)))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.EXISTS));
        assertThat(file).hasContent("a");
        Set<PosixFilePermission> shared = PosixFilePermissions.fromString("rw-r-x-w-");
        Path _ = Files.setPosixFilePermissions(file, shared);
        assertThat(reply(files.write(FileWrite.replace(file, Bytes.of("bb")).force(), sink)))
                .isEqualTo(new Written(file, 2));
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(shared);
        assertThat(reply(files.write(FileWrite.append(file, Bytes.of("cc")).force(), sink)))
                .isEqualTo(new Written(file, 2));
        assertThat(file).hasContent("bbcc");
        try (Stream<Path> remaining = Files.list(folder)) {
            assertThat(remaining).containsExactly(file);
        }
    }

    @Test
    void whatCannotBeDoneSaysWhy() throws IOException {
        Path missing = folder.resolve("missing");
        assertThat(reply(files.read(missing, 10, sink)))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.NOT_FOUND));
        assertThat(reply(files.read(folder, 10, sink)))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.IO));
        assertThat(reply(files.write(FileWrite.replace(missing.resolve("below"), Bytes.EMPTY), sink)))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.cause()).isEqualTo(Cause.NOT_FOUND));
        assertThatIllegalArgumentException().isThrownBy(() -> files.read(missing, 0, sink));
    }

    @Test
    void readerIsAsFastAsItsSink() throws Exception {
        Path file = file("x\n".repeat(2_000));
        CountDownLatch busy = new CountDownLatch(1);
        List<Long> numbers = Collections.synchronizedList(new ArrayList<>());
        var slow = local.add(
                "slow",
                (LocalStageBuilder<FileReply> stage) -> stage.handler(reply -> {
                            busy.await();
                            if (reply instanceof Line line) {
                                numbers.add(line.number());
                            }
                        })
                        .boundary(500, boundary -> boundary.blocking()));
        files.lines(file, 10, slow);
        // One more than fits: its worker may come when the queue is full already, and takes an event.
        await().until(() -> slow.status().refused() > 0 && slow.status().waiting() == 500);
        assertThat(files.bytesInHand()).isEqualTo(10);
        busy.countDown();
        await().until(() -> numbers.size() == 2_000);
        assertThat(numbers).isSorted();
    }

    @Test
    void memoryOfAllThatIsInHandIsBounded() throws Exception {
        Path file = file("content");
        CountDownLatch busy = new CountDownLatch(1);
        Sink<FileReply> blocked = reply -> {
            try {
                busy.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return sink.offer(reply);
        };
        assertThat(files.read(file, 600, blocked)).isEqualTo(Taken.ACCEPTED);
        assertThat(files.read(file, 401, blocked)).isEqualTo(new Refused(Admission.Cause.FULL, Duration.ofMillis(100)));
        assertThat(files.read(file, MEMORY + 1, blocked))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.cause()).isEqualTo(Admission.Cause.TOO_LARGE));
        assertThat(files.read(file, 400, blocked)).isEqualTo(Taken.ACCEPTED);
        busy.countDown();
        await().until(() -> files.bytesInHand() == 0);
        assertThat(replies).hasSize(2);
    }

    @Test
    void orderWhoseReplyNobodyTakesIsDropped() throws Exception {
        Path file = file("content");
        Sink<FileReply> closed = _ -> new Refused(Admission.Cause.CLOSED, Duration.ZERO);
        files.chunks(file, 1, closed);
        await().until(() -> files.status().dropped() == 1);
        assertThat(files.status().lastDrop())
                .hasValueSatisfying(text -> assertThat(text).contains("the sink refused the reply: CLOSED"));
    }

    @Test
    void orderThatIsDroppedSaysSo() throws Exception {
        local.remove("files", Duration.ZERO).join();
        assertThat(files.read(folder, 1, sink)).isInstanceOf(Refused.class);
        new FileOrder(folder, 1, _ -> {}, sink, Timer.SYSTEM, () -> {}).dropped("too late");
        assertThat(replies).containsExactly(new Failed(folder, Cause.DROPPED, "too late"));
    }
}
