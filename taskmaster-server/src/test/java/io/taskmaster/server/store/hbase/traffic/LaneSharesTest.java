package io.taskmaster.server.store.hbase.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LaneSharesTest {

    @Test
    void busyLaneLeavesTheOthersTheirOwn() {
        LaneShares laneShares = new LaneShares(100, 5);

        assertThat(used(laneShares, 0)).isEqualTo(60);
        assertThat(used(laneShares, 1)).isEqualTo(10);
        assertThat(used(laneShares, 2)).isEqualTo(10);
    }

    @Test
    void onlyLaneHasAll() {
        assertThat(used(new LaneShares(100, 1), 0)).isEqualTo(100);
    }

    @Test
    void whatWasBorrowedIsGivenBackFirst() {
        LaneShares laneShares = new LaneShares(100, 5);
        used(laneShares, 0);
        laneShares.give(0, 20);

        assertThat(used(laneShares, 1)).isEqualTo(30);
        assertThat(used(laneShares, 0)).isZero();
        laneShares.give(0, 31);
        assertThat(used(laneShares, 1)).isEqualTo(30);
        assertThat(used(laneShares, 0)).isEqualTo(1);
    }

    @Test
    void everyLaneHasOneEvenIfThereIsLess() {
        LaneShares laneShares = new LaneShares(2, 3);

        assertThat(used(laneShares, 0)).isEqualTo(1);
        assertThat(used(laneShares, 1)).isEqualTo(1);
        assertThat(used(laneShares, 2)).isEqualTo(1);
    }

    @Test
    void laneThatHoldsNothingMayTakeMoreThanThereIs() {
        LaneShares laneShares = new LaneShares(100, 5);

        assertThat(laneShares.take(0, 1_000)).isTrue();
        assertThat(laneShares.take(0, 1)).isFalse();
        assertThat(used(laneShares, 1)).isEqualTo(10);

        laneShares.give(0, 1_000);
        assertThat(used(laneShares, 2)).isEqualTo(60);
    }

    private static int used(LaneShares laneShares, int lane) {
        int used = 0;
        while (laneShares.take(lane, 1)) {
            used++;
        }
        return used;
    }
}
