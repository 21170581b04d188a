package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Pid;
import org.junit.jupiter.api.Test;

/** Tests of the bounds of a window after each kind of change. */
final class WindowTest {

    private static final Pid A = Pid.of("a");
    private static final Pid C = Pid.of("c");
    private static final Pid F = Pid.of("f");
    private static final Pid M = Pid.of("m");
    private static final Pid T = Pid.of("t");

    private final Window window = new Window();

    @Test
    void ofAQueueNeverSeenBeforeEverythingIsKnown() {
        assertThat(window.isComplete()).isTrue();
        assertThat(window.knows(A)).isTrue();
        assertThat(window.covers(T)).isTrue();
    }

    @Test
    void afterARestartOnlyWhatIsBelowTheLowWaterMarkIsKnown() {
        window.unknownFrom(F);
        assertThat(window.knows(C)).isTrue();
        assertThat(window.knows(F)).isFalse();
        assertThat(window.covers(M)).isFalse();
        assertThat(window.scanFrom()).isEqualTo(F);
    }

    @Test
    void aScanExtendsItAndItsEndCompletesIt() {
        window.unknownFrom(F);
        window.extendedTo(M);
        assertThat(window.knows(F)).isTrue();
        assertThat(window.knows(M)).isFalse();
        assertThat(window.scanFrom()).isEqualTo(M);
        window.reachedEnd();
        assertThat(window.isComplete()).isTrue();
        assertThat(window.knows(T)).isTrue();
    }

    @Test
    void anAvailableTaskGivenUpEndsIt() {
        window.missesFrom(M);
        assertThat(window.knows(F)).isTrue();
        assertThat(window.covers(M)).isFalse();
        assertThat(window.knows(T)).isFalse();
    }

    @Test
    void aLeasedTaskGivenUpLeavesAllThatCanBeLeasedCovered() {
        window.forgotLeased(F);
        assertThat(window.knows(F)).isFalse();
        assertThat(window.knows(C)).as("there may be more of them below").isFalse();
        assertThat(window.covers(C)).isTrue();
        assertThat(window.knows(M)).isTrue();
    }

    @Test
    void aLeasedTaskGivenUpLeavesTheRestOfWhatIsKnown() {
        window.unknownFrom(A);
        window.extendedTo(T);
        window.forgotLeased(C);
        assertThat(window.knows(C)).isFalse();
        assertThat(window.knows(F)).isTrue();
        window.forgotLeased(T);
        assertThat(window.knownFrom()).as("no more than nothing is known").isEqualTo(T);
    }

    @Test
    void aTaskEnqueuedBelowTheLowWaterMarkPullsItBackAndIsKnown() {
        window.unknownFrom(F);
        window.extendedTo(M);
        window.stores(A);
        assertThat(window.lowWater()).isEqualTo(A);
        assertThat(window.knows(A)).isTrue();
        assertThat(window.knows(C)).as("nothing was stored there").isTrue();
        window.raiseLowWater(F);
        assertThat(window.lowWater()).as("and it can be raised again").isEqualTo(F);
    }

    @Test
    void theLowWaterMarkFollowsTheLowestTaskButNotBeyondWhatIsKnown() {
        window.raiseLowWater(C);
        assertThat(window.lowWater()).isEqualTo(C);
        window.missesFrom(F);
        window.raiseLowWater(T);
        assertThat(window.lowWater()).isEqualTo(F);
        window.raiseLowWater(null);
        assertThat(window.lowWater()).isEqualTo(F);
    }

    @Test
    void theLowWaterMarkStaysWhereLeasedTasksMayBeStoredBelow() {
        window.forgotLeased(C);
        window.raiseLowWater(M);
        assertThat(window.lowWater()).isEqualTo(Pid.EMPTY);
    }
}
