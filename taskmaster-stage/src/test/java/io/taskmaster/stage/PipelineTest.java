package io.taskmaster.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.control.Sample;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class PipelineTest {

    private static final TaskQueue<String> FETCH = TaskQueue.family("fetch", Codec.utf8());
    private static final TaskQueue<String> PARSE = TaskQueue.of("parse", Codec.utf8());
    private static final TaskQueue<String> SEEN = TaskQueue.of("seen", Codec.utf8());
    private static final Handler<String> DONE = _ -> Outcome.done();

    private static Consumer<StageBuilder<String>> done(TaskQueue<?>... outputs) {
        return stage -> stage.handler(DONE).to(outputs);
    }

    @Test
    void stagesMayHandOffInCirclesAndToSinks() {
        Pipeline pipeline = Pipeline.in("crawl")
                .stage(FETCH, done(PARSE))
                .stage(PARSE, done(FETCH, SEEN))
                .sinks(SEEN)
                .build();

        assertThat(pipeline.stages()).extracting(Stage::name).containsExactly("fetch", "parse");
    }

    @Test
    void stageThatIsHandedOffToHasToBeThere() {
        assertThatThrownBy(Pipeline.in("crawl").stage(FETCH, done(PARSE))::build)
                .isInstanceOf(InvalidPipelineException.class)
                .hasMessageContaining("stage fetch: hands off to parse (expected: a stage of this pipeline");
    }

    @Test
    void processMayRunSomeOfTheStages() {
        Pipeline pipeline = Pipeline.in("crawl")
                .stage(FETCH, done(PARSE))
                .stage(PARSE, done(FETCH, SEEN))
                .sinks(SEEN)
                .build();

        assertThat(pipeline.only("parse").stages()).extracting(Stage::name).containsExactly("parse");
        assertThat(pipeline.only("parse").sinks()).isEqualTo(List.of(SEEN, FETCH));
        assertThatThrownBy(() -> pipeline.only("pars")).hasMessageContaining("stages: [pars] (expected: a subset of");
    }

    @Test
    void allThatIsWrongIsToldAtOnce() {
        assertThatThrownBy(Pipeline.in("crawl").stage(FETCH, done(PARSE, SEEN))::build)
                .hasMessageContaining("hands off to parse")
                .hasMessageContaining("hands off to seen");
        assertThatThrownBy(Pipeline.in("crawl")::build).hasMessage("stages: none (expected: one or more)");
    }

    @Test
    void queueOfAnotherTypeIsNoticed() {
        TaskQueue<Integer> numbers = TaskQueue.of("parse", Codec.text(String::valueOf, Integer::valueOf));
        assertThatThrownBy(Pipeline.in("crawl").stage(FETCH, done(numbers)).stage(PARSE, done())::build)
                .hasMessageContaining("queues parse and parse: overlapping queues, possibly of different types");
    }

    @Test
    void twoStagesCannotShareAQueue() {
        TaskQueue<String> member = TaskQueue.of("fetch/example.com", Codec.utf8());
        assertThatThrownBy(Pipeline.in("crawl").stage(FETCH, done()).stage(member, done())::build)
                .hasMessageContaining("queues fetch/* and fetch/example.com: overlapping queues");
    }

    @Test
    void stagesOfOneNameAreRefusedToo() {
        TaskQueue<String> plain = TaskQueue.of("fetch", Codec.utf8());
        assertThatThrownBy(Pipeline.in("crawl").stage(FETCH, done()).stage(plain, done())::build)
                .hasMessageContaining("stages fetch/* and fetch: the same name");
    }

    @Test
    void deadLettersOfAFamilyMayHaveAStage() {
        TaskQueue<String> dead = TaskQueue.of("fetch/example.com.dead", Codec.utf8());
        assertThat(Pipeline.in("crawl")
                        .stage(FETCH, done())
                        .stage(dead, done())
                        .build()
                        .stages())
                .hasSize(2);
        assertThatThrownBy(() -> FETCH.task("x.dead", "payload")).hasMessageContaining("not of a dead-letter queue");
    }

    @Test
    void tasksComeInWithAPidOfTheirOwn() {
        Pipeline pipeline = Pipeline.in("crawl").stage(PARSE, done()).build();
        assertThat(pipeline.update(PARSE.task("x").at("p"), PARSE.task("y").last())
                        .enqueues())
                .hasSize(2);
        assertThatThrownBy(() -> pipeline.update(PARSE.task("x"))).hasMessageContaining("no PID");
    }

    @Test
    void leaseHasToLastForWhatIsLeasedAhead() {
        PipelineBuilder pipeline = Pipeline.in("crawl")
                .stage(
                        PARSE,
                        stage -> stage.handler(DONE)
                                .concurrency(2)
                                .prefetch(9)
                                .lease(Duration.ofSeconds(4))
                                .serviceTime(Duration.ofSeconds(1)));
        assertThatThrownBy(pipeline::build)
                .hasMessageContaining("stage parse: lease PT4S, but prefetched tasks may wait for PT5S");
    }

    @Test
    void whatAControllerMaySayIsKnownBeforehand() {
        assertThatThrownBy(Pipeline.in("crawl")
                        .stage(
                                PARSE,
                                stage -> stage.handler(DONE)
                                        .concurrency(Controller.threadPool(1, 20))
                                        .prefetch(5)
                                        .lease(Duration.ofSeconds(4))
                                        .serviceTime(Duration.ofSeconds(1)))::build)
                .hasMessageContaining("stage parse: lease PT4S, but prefetched tasks may wait for PT5S");
        assertThatThrownBy(() -> Pipeline.in("crawl")
                        .stage(
                                PARSE,
                                stage -> stage.batchHandler(Controller.batching(1, 500), (_, _) -> {})
                                        .concurrency(Controller.gradient(1, 21))))
                .hasMessage("stage parse: concurrency x maxBatch + prefetch: 21 x 500 + 0 (expected: 10000 or less)");
        Controller unknown = new Controller() {
            @Override
            public int setting() {
                return 1;
            }

            @Override
            public Controller after(Sample sample) {
                return this;
            }
        };
        assertThatThrownBy(() -> Pipeline.in("crawl")
                        .stage(PARSE, stage -> stage.handler(DONE).concurrency(unknown)))
                .hasMessageContaining("concurrency x maxBatch + prefetch: 2147483647 x 1 + 0");
    }

    @Test
    void theLastSettingCounts() {
        Pipeline pipeline = Pipeline.in("crawl")
                .stage(
                        PARSE,
                        stage -> stage.batchHandler(Controller.batching(1, 500), (_, _) -> {})
                                .handler(DONE)
                                .concurrency(Controller.gradient(1, 20))
                                .concurrency(3))
                .build();
        assertThat(pipeline.stages().getFirst().settings().inHand()).isEqualTo(3);
    }

    @Test
    void settingsOutOfTheirRangeNameTheStage() {
        assertThatThrownBy(() -> Pipeline.in("crawl")
                        .stage(PARSE, stage -> stage.handler(DONE).concurrency(0)))
                .hasMessage("stage parse: concurrency: 0 (expected: 1 or more)");
        assertThatThrownBy(() -> Pipeline.in("crawl")
                        .stage(PARSE, stage -> stage.handler(DONE).prefetch(StageSettings.MAX_IN_HAND)))
                .hasMessageContaining("stage parse: concurrency x maxBatch + prefetch");
        assertThatThrownBy(() -> Pipeline.in("crawl").stage(PARSE, _ -> {})).hasMessageContaining("no handler");
    }
}
