package io.taskmaster.server.store.hbase.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LaneSharesTest {

    @Test
    void busyLaneLeavesTheOthersTheirOwn() {
        LaneShares laneShares = new LaneShares(100, 5);

        assertThat(taken(laneShares, 0)).isEqualTo(60);
        assertThat(taken(laneShares, 1)).isEqualTo(10);
        assertThat(taken(laneShares, 2)).isEqualTo(10);
    }

    @Test
    void onlyLaneHasAll() {
        assertThat(taken(new LaneShares(100, 1), 0)).isEqualTo(100);
    }

    @Test
    void whatWasBorrowedIsGivenBackFirst() {
        LaneShares laneShares = new LaneShares(100, 5);
        taken(laneShares, 0);
        laneShares.give(0, 20);

        assertThat(taken(laneShares, 1)).isEqualTo(30);
        assertThat(taken(laneShares, 0)).isZero();
        laneShares.give(0, 31);
        assertThat(taken(laneShares, 1)).isEqualTo(30);
        assertThat(taken(laneShares, 0)).isEqualTo(1);
    }

    @Test
    void everyLaneHasOneEvenIfThereIsLess() {
        LaneShares laneShares = new LaneShares(2, 3);

        assertThat(taken(laneShares, 0)).isEqualTo(1);
        assertThat(taken(laneShares, 1)).isEqualTo(1);
        assertThat(taken(laneShares, 2)).isEqualTo(1);
    }

    @Test
    void laneThatHoldsNothingMayTakeMoreThanThereIs() {
        LaneShares laneShares = new LaneShares(100, 5);

        assertThat(laneShares.take(0, 1_000)).isTrue();
        assertThat(laneShares.take(0, 1)).isFalse();
        assertThat(taken(laneShares, 1)).isEqualTo(10);

        laneShares.give(0, 1_000);
        assertThat(taken(laneShares, 2)).isEqualTo(60);
    }

    private static int taken(LaneShares laneShares, int lane) {
        int taken = 0;
        while (laneShares.take(lane, 1)) {
            taken++;
        }
        return taken;
    }
}
