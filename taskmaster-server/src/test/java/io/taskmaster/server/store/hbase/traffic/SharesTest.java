package io.taskmaster.server.store.hbase.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SharesTest {

    @Test
    void busyLaneLeavesTheOthersTheirOwn() {
        Shares shares = new Shares(100, 5);

        assertThat(taken(shares, 0)).isEqualTo(60);
        assertThat(taken(shares, 1)).isEqualTo(10);
        assertThat(taken(shares, 2)).isEqualTo(10);
    }

    @Test
    void onlyLaneHasAll() {
        assertThat(taken(new Shares(100, 1), 0)).isEqualTo(100);
    }

    @Test
    void whatWasBorrowedIsGivenBackFirst() {
        Shares shares = new Shares(100, 5);
        taken(shares, 0);
        shares.give(0, 20);

        assertThat(taken(shares, 1)).isEqualTo(30);
        assertThat(taken(shares, 0)).isZero();
        shares.give(0, 31);
        assertThat(taken(shares, 1)).isEqualTo(30);
        assertThat(taken(shares, 0)).isEqualTo(1);
    }

    @Test
    void everyLaneHasOneEvenIfThereIsLess() {
        Shares shares = new Shares(2, 3);

        assertThat(taken(shares, 0)).isEqualTo(1);
        assertThat(taken(shares, 1)).isEqualTo(1);
        assertThat(taken(shares, 2)).isEqualTo(1);
    }

    @Test
    void laneThatHoldsNothingMayTakeMoreThanThereIs() {
        Shares shares = new Shares(100, 5);

        assertThat(shares.take(0, 1_000)).isTrue();
        assertThat(shares.take(0, 1)).isFalse();
        assertThat(taken(shares, 1)).isEqualTo(10);

        shares.give(0, 1_000);
        assertThat(taken(shares, 2)).isEqualTo(60);
    }

    private static int taken(Shares shares, int lane) {
        int taken = 0;
        while (shares.take(lane, 1)) {
            taken++;
        }
        return taken;
    }
}
