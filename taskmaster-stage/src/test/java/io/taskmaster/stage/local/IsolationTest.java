package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.local.pool.WorkerPool;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of the wait of an idle stage for a thread while another stage has a backlog, counted in turns of that stage, in
 * simulated time.
 */
final class IsolationTest extends SomeStages {

    private static final int BACKLOG = 1_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 10, 30})
    void eventOfAnIdleStageWaitsForOneTurnOfASlowOne(int millis) {
        assertThat(turnsUntilTheIdleStageHasAThread(Duration.ofMillis(millis))).isLessThanOrEqualTo(1);
    }

    @Test
    void quickStageMakesWayAfterSomeTurns() {
        assertThat(turnsUntilTheIdleStageHasAThread(Duration.ZERO)).isLessThanOrEqualTo(WorkerPool.MAX_TURNS);
        assertThat(turnsUntilTheIdleStageHasAThread(WorkerPool.MAX_STAY.dividedBy(10)))
                .isLessThanOrEqualTo(10);
    }

    /** Returns the turns of a stage with a backlog from when another stage gets an event until that is handled. */
    private int turnsUntilTheIdleStageHasAThread(Duration turnTime) {
        int[] turns = new int[3];
        String name = "of " + turnTime;
        LocalStage<String> idle = stages.add(
                "idle " + name, s -> s.handler(_ -> turns[2] = turns[0]).boundary(10, boundary -> boundary));
        LocalStage<String> busy = stages.add(
                "busy " + name,
                s -> s.handler(_ -> {
                            world.time.run(turnTime);
                            if (++turns[0] == BACKLOG / 2) {
                                turns[1] = turns[0];
                                assertThat(idle.offer("event").isTaken()).isTrue();
                            }
                        })
                        .boundary(BACKLOG, boundary -> boundary));
        for (int i = 0; i < BACKLOG; i++) {
            assertThat(busy.offer("event").isTaken()).isTrue();
        }
        world.work();
        assertThat(turns[0]).isEqualTo(BACKLOG);
        return turns[2] - turns[1];
    }

    @Test
    void workerThatBlocksHasAThreadOfItsOwnForAsLongAsItLikes() {
        LocalStage<String> stage = stages.add(
                "s", s -> s.handler(_ -> world.time.run(SHORT)).boundary(BACKLOG, boundary -> boundary.blocking()));
        for (int i = 0; i < BACKLOG; i++) {
            assertThat(stage.offer("event").isTaken()).isTrue();
        }
        world.pass(Duration.ZERO);
        assertThat(stage.status().done()).isEqualTo(BACKLOG);
    }
}
