package io.taskmaster.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.Command.Dequeue;
import io.taskmaster.server.engine.Command.Enqueue;
import io.taskmaster.server.engine.Command.IfExists;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How tasks flow, as a partition sees it. */
final class FlowTest {

    private final SmallPartition partition = new SmallPartition();

    @Test
    void handOffsAreSeenBetweenFamilies() {
        for (int i = 0; i < 100; i++) {
            partition.enqueue(QueueKey.of("fetch/" + i), "p");
        }
        for (int i = 0; i < 100; i++) {
            handOff("fetch/" + i, "index/" + i);
        }
        for (int i = 0; i < 10; i++) {
            partition.dequeue(QueueKey.of("index/" + i), "p");
        }
        FlowSnapshot flow = partition.state.queues().families().snapshot();
        assertThat(flow.edges()).singleElement().satisfies(edge -> {
            assertThat(edge.from()).hasToString("fetch/*");
            assertThat(edge.to()).hasToString("index/*");
            assertThat(edge.tasks()).isEqualTo(100);
        });
        assertThat(node("index/*").available()).isEqualTo(90);
        assertThat(node("index/*").ended()).isEqualTo(10);
        assertThat(node("fetch/*").available()).isZero();
        assertThat(node("fetch/*").dequeued()).isEqualTo(100);
        PartitionStateInvariants.checkMemory(partition.state);
    }

    @Test
    void nothingIsLostWhenFamiliesAreToldApartInAnotherWay() {
        for (int i = 0; i < 500; i++) {
            partition.enqueue(QueueKey.of(i + "/" + i), "p");
            partition.lease(QueueKey.of(i + "/" + i), 1);
            PartitionStateInvariants.checkMemory(partition.state);
        }
        FlowSnapshot flow = partition.state.queues().families().snapshot();
        assertThat(flow.nodes().stream().mapToLong(FlowSnapshot.Node::enqueued).sum())
                .isEqualTo(500);
        assertThat(flow.nodes().stream().mapToLong(FlowSnapshot.Node::leases).sum())
                .isEqualTo(500);
        assertThat(flow.nodes().stream().mapToLong(FlowSnapshot.Node::leased).sum())
                .isEqualTo(500);
        partition.nowMillis += SmallPartition.LEASE_MILLIS + 1;
        partition.state.advance(partition.nowMillis);
        assertThat(node("*").expired()).isEqualTo(500);
        assertThat(node("*").available()).isEqualTo(500);
        PartitionStateInvariants.checkMemory(partition.state);
    }

    private void handOff(String from, String to) {
        partition.answer(
                Reply.Updated.class,
                new Command.Update(
                        QueueKey.of(to).group(),
                        List.of(new Enqueue(
                                QueueName.of(to), Optional.of(Pid.of("p")), SmallPartition.DATA, IfExists.FAIL, 0)),
                        List.of(new Dequeue(QueueName.of(from), Pid.of("p"), 0)),
                        List.of(),
                        List.of()));
    }

    private FlowSnapshot.Node node(String name) {
        return partition.state.queues().families().snapshot().nodes().stream()
                .filter(one -> one.name().toString().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
