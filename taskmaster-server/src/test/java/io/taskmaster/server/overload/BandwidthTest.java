package io.taskmaster.server.overload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class BandwidthTest {

    private static final long SECOND = 1_000_000_000;
    private static final long START = Long.MAX_VALUE - SECOND / 2;

    private final Bandwidth thousandBytesPerSecond = new Bandwidth(1000, START);

    @Test
    void bytesTakeTheirTime() {
        assertThat(thousandBytesPerSecond.take(250, START) - START).isEqualTo(SECOND / 4);
    }

    @Test
    void whoComesWhileItIsBusyWaitsBehindThoseBefore() {
        thousandBytesPerSecond.take(1000, START);
        thousandBytesPerSecond.take(500, START + 1);

        assertThat(thousandBytesPerSecond.take(500, START + SECOND / 10) - START)
                .isEqualTo(2 * SECOND);
    }

    @Test
    void timeThatNobodyUsedIsLost() {
        thousandBytesPerSecond.take(1000, START);

        assertThat(thousandBytesPerSecond.take(1000, START + 5 * SECOND) - START)
                .isEqualTo(6 * SECOND);
    }
}
