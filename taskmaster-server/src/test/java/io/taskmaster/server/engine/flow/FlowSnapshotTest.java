package io.taskmaster.server.engine.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.server.engine.flow.FlowSnapshot.Edge;
import io.taskmaster.server.engine.flow.FlowSnapshot.Excerpt;
import io.taskmaster.server.engine.flow.FlowSnapshot.Node;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the excerpt of a flow that is too large to be shown. */
final class FlowSnapshotTest {

    private static final FlowSnapshot FLOW = new FlowSnapshot(
            List.of(node("idle", 0, 0), node("full", 9, 0), node("busy", 0, 5), node("busier", 0, 6)),
            List.of(edge("idle", "busy", 99), edge("busy", "busier", 1), edge("busier", "busy", 2)));

    @Test
    void whatThereIsRoomForIsLeftAsItIs() {
        assertThat(FLOW.excerpt(4, 3)).isEqualTo(new Excerpt(FLOW, 0, 0));
    }

    @Test
    void familiesInWhichLeastWentOnAreLeftOutAndTheirHandOffs() {
        Excerpt excerpt = FLOW.excerpt(3, 9);
        assertThat(excerpt.flow().nodes())
                .extracting(Node::name)
                .containsExactly(name("busier"), name("busy"), name("full"));
        assertThat(excerpt.families()).isEqualTo(1);
        assertThat(excerpt.flow().edges()).containsExactly(edge("busy", "busier", 1), edge("busier", "busy", 2));
        assertThat(excerpt.handOffs()).isEqualTo(1);
    }

    @Test
    void theSmallestHandOffsAreLeftOut() {
        Excerpt excerpt = FLOW.excerpt(4, 2);
        assertThat(excerpt.flow().nodes()).isEqualTo(FLOW.nodes());
        assertThat(excerpt.flow().edges()).containsExactly(edge("idle", "busy", 99), edge("busier", "busy", 2));
        assertThat(excerpt.handOffs()).isEqualTo(1);
    }

    private static Node node(String name, long available, long enqueued) {
        return new Node(name(name), 1, available, 0, 0, enqueued, 0, 0, 0, 0);
    }

    private static Edge edge(String from, String to, double tasks) {
        return new Edge(name(from), name(to), tasks);
    }

    private static FamilyName name(String name) {
        return new FamilyName(Optional.empty(), Bytes.of(name), false, Bytes.EMPTY);
    }
}
