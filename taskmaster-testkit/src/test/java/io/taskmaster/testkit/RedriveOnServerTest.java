package io.taskmaster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.PeekResult.State;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.Redrive;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RedriveOnServerTest {

    private static final QueueKey DEAD = QueueKey.of("q.dead");

    private final TestServer server = TestServer.inMemory();
    private final BlockingClient tasks = server.client().blocking();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void whatDiesAgainMeanwhileStaysAndCanBeHadAtOnce() {
        tasks.enqueue(DEAD, Pid.of("b"), Bytes.of("old"));
        Redrive redrive = Redrive.of(tasks, QueueSelector.of(DEAD));
        redrive.run(_ -> tasks.enqueue(DEAD, Pid.of("a"), Bytes.of("died again")));

        assertThat(redrive.redriven()).isEqualTo(1);
        assertThat(redrive.left()).isEqualTo(1);
        assertThat(tasks.peek(PeekRequest.of(QueueKey.of("q"))).tasks()).hasSize(1);
        assertThat(tasks.peek(PeekRequest.of(DEAD)).tasks())
                .singleElement()
                .satisfies(task -> assertThat(task.state()).isEqualTo(State.AVAILABLE));
    }

    @Test
    void moreThanGoIntoOneCallComeBackAll() {
        for (int i = 0; i < 1_200; i++) {
            tasks.enqueue(DEAD, Pid.of("p%04d".formatted(i)), Bytes.EMPTY);
        }
        Redrive redrive = Redrive.of(tasks, QueueSelector.of(DEAD));
        redrive.run(_ -> {});

        assertThat(redrive.total()).isEqualTo(1_200);
        assertThat(redrive.redriven()).isEqualTo(1_200);
        assertThat(tasks.peek(PeekRequest.of(DEAD)).tasks()).isEmpty();
    }
}
