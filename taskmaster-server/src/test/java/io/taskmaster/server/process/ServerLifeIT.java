package io.taskmaster.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.net.HostAndPort;
import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.net.Socket;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the whole server, with its store, from the view of an operator and of a careless client. */
final class ServerLifeIT {

    private static final QueueKey QUEUE = QueueKey.of("group", "queue");
    private static final String FEW_PARTITIONS = "partitions=4";

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aSecondServerOnTheSameDataEndsWithStatusThreeAndSaysWhy() {
        try (var first = start();
                var client = TaskMasterClient.connect(first.awaitServing());
                var second = start()) {
            assertThat(second.awaitExit()).isEqualTo(3);
            assertThat(second.errors())
                    .contains("taskmaster: data: ")
                    .contains(folder.resolve("data").getFileName() + " is in use")
                    .doesNotContain("\tat ");

            assertThat(client.blocking().enqueue(QUEUE, Bytes.of("data")).success())
                    .isTrue();
        }
    }

    @Test
    void aServerThatWasToldToStopHasEverythingWhenItStartsAgain() {
        try (var server = start();
                var client = TaskMasterClient.connect(server.awaitServing())) {
            client.blocking().enqueue(QUEUE, Pid.of("a"), Bytes.of("data"));
            assertThat(server.terminate()).isZero();
        }
        try (var server = start();
                var client = TaskMasterClient.connect(server.awaitServing())) {
            assertThat(client.blocking().lease(LeaseRequest.from(QUEUE)))
                    .singleElement()
                    .satisfies(task -> assertThat(task.data()).isEqualTo(Bytes.of("data")));
        }
    }

    @Test
    void badInputIsRefusedByItsNameAndTheServerLivesOn() throws Exception {
        try (var server = start();
                var client = TaskMasterClient.connect(server.awaitServing())) {
            BlockingClient tasks = client.blocking();

            refused(ErrorCode.PID_TOO_LONG, () -> tasks.enqueue(QUEUE, Pid.wrap(new byte[4097]), Bytes.EMPTY));
            refused(ErrorCode.QUEUE_NAME_EMPTY, () -> tasks.enqueue(QueueKey.of("group", ""), Bytes.EMPTY));
            refused(ErrorCode.TASK_TOO_LARGE, () -> tasks.enqueue(QUEUE, Bytes.wrap(new byte[20 << 20])));
            refused(
                    ErrorCode.BAD_PATTERN,
                    () -> tasks.lease(LeaseRequest.from(QueueSelector.matching(GroupName.of("group"), "(oops"))));
            throwGarbageAt(server.awaitServing());

            assertThat(server.isAlive()).isTrue();
            assertThat(tasks.list(ListRequest.of(QueueSelector.all())).queues()).isEmpty();
            assertThat(tasks.enqueue(QUEUE, Pid.wrap(new byte[4096]), Bytes.wrap(new byte[16 << 20]))
                            .success())
                    .isTrue();
        }
    }

    private ForkedServer start() {
        return ForkedServer.start(folder.resolve("data"), folder, FEW_PARTITIONS);
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThat(catchThrowableOfType(TaskMasterException.class, call))
                .isNotNull()
                .extracting(TaskMasterException::code)
                .isEqualTo(code);
    }

    private static void throwGarbageAt(String address) throws Exception {
        HostAndPort port = HostAndPort.fromString(address);
        var random = new SplittableRandom(2);
        for (int i = 0; i < 20; i++) {
            byte[] garbage = new byte[1 + random.nextInt(4000)];
            random.nextBytes(garbage);
            try (var socket = new Socket(port.getHost(), port.getPort())) {
                socket.getOutputStream().write(garbage);
            }
        }
    }
}
