package io.taskmaster.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.StageGraph.Edge;
import io.taskmaster.stage.StageGraph.Kind;
import io.taskmaster.stage.StageGraph.Node;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StageGraphTest {

    private static final TaskQueue<String> FETCH = TaskQueue.family("fetch", Codec.utf8());
    private static final TaskQueue<String> PARSE = TaskQueue.of("parse", Codec.utf8());
    private static final TaskQueue<String> SEEN = TaskQueue.of("seen", Codec.utf8());

    private final Pipeline crawl = Pipeline.in("crawl")
            .stage(FETCH, stage -> stage.handler(_ -> Outcome.done()).to(PARSE, PARSE))
            .stage(PARSE, stage -> stage.handler(_ -> Outcome.done()).to(FETCH, SEEN))
            .sinks(SEEN)
            .build();

    @Test
    void pipelineIsDrawnWithItsSinks() {
        assertThat(crawl.graph().mermaid()).isEqualTo("""
                flowchart LR
                    n0["fetch/*"]
                    n1["parse"]
                    n2[("seen")]
                    n0 --> n1
                    n1 --> n0
                    n1 --> n2
                """);
        assertThat(crawl.graph().dot()).isEqualTo("""
                digraph stages {
                    rankdir=LR;
                    n0 [label="fetch/*", shape=box];
                    n1 [label="parse", shape=box];
                    n2 [label="seen", shape=cylinder];
                    n0 -> n1;
                    n1 -> n0;
                    n1 -> n2;
                }
                """);
    }

    @Test
    void localStagesAreDrawnBesideThem() {
        try (LocalStages local = LocalStages.start()) {
            local.add("render", stage -> stage.handler(_ -> {}).boundary(1, b -> b));
            local.add("download", stage -> stage.handler(_ -> {}).to("render", "seen"));
            assertThat(crawl.graph().and(local.graph()).and("parse", "download").mermaid())
                    .contains("n3[[\"render\"]]", "n4(\"download\")", "n4 --> n3\n", "n4 --> n2\n", "n1 --> n4\n")
                    .doesNotContain("elsewhere");
        }
    }

    @Test
    void localStageThatTasksGoIntoIsDrawnBehindTheirs() {
        try (LocalStages local = LocalStages.start()) {
            LocalStage<Flight<String>> download = local.add("download", stage -> stage.handler(_ -> {}));
            Pipeline pipeline = Pipeline.in("crawl")
                    .stage(FETCH, stage -> stage.into(download))
                    .stage(PARSE, stage -> stage.into(download))
                    .stage(SEEN, stage -> stage.into(download).handler(_ -> Outcome.done()))
                    .build();
            StageGraph graph = pipeline.graph().and(local.graph());
            assertThat(graph.mermaid()).isEqualTo("""
                    flowchart LR
                        n0["fetch/*"]
                        n1["parse"]
                        n2["seen"]
                        n3("download")
                        n0 --> n3
                        n1 --> n3
                    """);
            assertThat(graph.and("fetch/*", "download")).isEqualTo(graph);
            assertThat(local.graph().and(pipeline.graph()).edges()).isEqualTo(graph.edges());
        }
    }

    @Test
    void sinkThatIsInNoPictureIsDrawnAsMissing() {
        try (LocalStages local = LocalStages.start()) {
            local.add("download", stage -> stage.handler(_ -> {}));
            Pipeline pipeline = Pipeline.in("crawl")
                    .stage(FETCH, stage -> stage.into(_ -> Taken.ACCEPTED))
                    .build();
            assertThat(pipeline.graph().and(local.graph()).mermaid())
                    .contains("n2{{\"local stages of fetch/* - elsewhere\"}}\n", "n0 --> n2\n");
        }
    }

    @Test
    void nameThatNobodyHasIsDrawnAsMissing() {
        try (LocalStages local = LocalStages.start();
                LocalStages others = LocalStages.start()) {
            local.add("download", stage -> stage.handler(_ -> {}).to("rendr"));
            local.add("upload", stage -> stage.handler(_ -> {}).to("rendr"));
            assertThat(local.graph().mermaid())
                    .contains("n2{{\"rendr - elsewhere\"}}\n", "n0 --> n2\n", "n1 --> n2\n")
                    .doesNotContain("n3");
            assertThat(local.graph().dot()).contains("n2 [label=\"rendr - elsewhere\", shape=hexagon];");
            assertThat(crawl.graph().and(local.graph()).nodes()).contains(new Node("rendr", Kind.MISSING));

            others.add("rendr", stage -> stage.handler(_ -> {}));
            assertThat(local.graph().and(others.graph()).nodes())
                    .hasSize(3)
                    .noneMatch(node -> node.kind() == Kind.MISSING);
        }
    }

    @Test
    void namesAreNoSyntax() {
        StageGraph graph = new StageGraph(
                List.of(new Node("a\"] --> b\\", Kind.STAGE), new Node("\u0007 läuft", Kind.QUEUE)), List.of());
        assertThat(graph.mermaid()).contains("n0[\"a#34;#93; --#62; b#92;\"]", "n1[(\"#7; läuft\")]");
        assertThat(graph.dot()).contains("label=\"a\\\"] --> b\\\\\"", "label=\"\\\\x07 läuft\"");
    }

    @Test
    void graphKnowsItsNodes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> crawl.graph().and("parse", "render"))
                .withMessageContaining("edge: parse to render");
        assertThatIllegalArgumentException().isThrownBy(() -> crawl.graph().and(crawl.graph()));
        assertThat(new StageGraph(List.of(), List.of(new Edge[0])).mermaid()).isEqualTo("flowchart LR\n");
    }
}
