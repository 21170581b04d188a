package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Dequeue;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import io.taskmaster.server.engine.state.FlushRound.QueueRecord;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the flow of tasks, as a partition sees it. */
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

    @Test
    void familiesAreTheSameAfterARestartAndNoneIsLeftBehind() {
        for (int i = 0; i < 60; i++) {
            for (String stage : List.of("fetch", "parse", "index")) {
                partition.enqueue(QueueKey.of("host" + i + ".com#" + stage + "_stage"), "p");
            }
        }
        List<String> before = namesOf(partition.state.queues().flow());
        assertThat(before).containsExactlyInAnyOrder("*#fetch_stage", "*#parse_stage", "*#index_stage");
        PartitionState restarted = new PartitionState(EngineSettings.DEFAULTS);
        for (QueueState queue : partition.state.queues().all()) {
            restarted
                    .restorer()
                    .restore(queue.key(), new QueueRecord(queue.generation(), queue.sizes(), FifoPid.NONE, Pid.EMPTY));
        }
        restarted.recovered();
        FlowSnapshot after = restarted.queues().flow();
        assertThat(namesOf(after)).containsExactlyInAnyOrderElementsOf(before);
        assertThat(after.nodes()).as("none without queues").allMatch(node -> node.queues() > 0);
    }

    @Test
    void handOffsOverruleNamesWithoutLosingACount() {
        List<String> regions = List.of("com", "org", "net");
        for (int step = 0; step < 24; step++) {
            for (String region : regions) {
                partition.enqueue(QueueKey.of("step" + step + "/" + region), "p");
            }
        }
        assertThat(namesOf(partition.state.queues().flow())).containsExactlyInAnyOrder("*/com", "*/org", "*/net");
        for (int step = 23; step > 0; step--) {
            for (String region : regions) {
                partition.dequeue(QueueKey.of("step" + step + "/" + region), "p");
                handOff("step" + (step - 1) + "/" + region, "step" + step + "/" + region);
                partition.enqueue(QueueKey.of("step" + (step - 1) + "/" + region), "p");
            }
        }
        FlowSnapshot flow = partition.state.queues().flow();
        assertThat(namesOf(flow)).hasSize(24).contains("step0/*", "step23/*");
        assertThat(flow.total().available()).isEqualTo(72);
        assertThat(flow.total().dequeued()).isEqualTo(2 * 69);
        PartitionStateInvariants.checkMemory(partition.state);
    }

    private static List<String> namesOf(FlowSnapshot flow) {
        return flow.nodes().stream()
                .filter(node -> node.queues() > 0)
                .map(node -> node.name().toString())
                .toList();
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
