package io.taskmaster.server.partition.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.time.Clock;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Tests of {@link EngineClock} with steps of the wall clock of seconds to hours in both directions. */
final class EngineClockTest {

    private static final long START = 1_700_000_000_000L;
    private static final long SECOND = 1_000;
    private static final long HOUR = 3_600 * SECOND;
    private static final long DAY = 24 * HOUR;

    /** The tolerance for the resolution of both clocks, and for differences too small to be corrected. */
    private static final long SLACK = 4;

    private static final class Machine implements Clock {

        private long micros;
        private long offsetMillis;

        @Override
        public long wallMillis() {
            return START + micros / 1_000 + offsetMillis;
        }

        @Override
        public long nanos() {
            return -1_000_000_000L + micros * 1_000;
        }
    }

    private final Machine machine = new Machine();
    private final EngineClock clock = new EngineClock(machine);
    private long now = clock.millis();

    @Test
    void withoutStepsItIsTheWallClock() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100_000; i++) {
            machine.micros += random.nextLong(20_000);
            assertThat(clock.millis() - machine.wallMillis()).isBetween(-1L, 1L);
        }
        assertThat(clock.steps()).isZero();
    }

    @Test
    void timeGoesOnWhileTheWallClockIsBehind() {
        machine.offsetMillis = -HOUR;
        pass(2 * SECOND);
        assertThat(now - START).isBetween(1_900L, 2 * SECOND);
        assertThat(clock.steps()).isOne();
        assertThat(clock.aheadMillis()).isBetween(HOUR - SECOND, HOUR);
    }

    @Test
    void noLeaseEndsEarlyByMoreThanATwentiethWhenTheWallClockIsSetAhead() {
        machine.offsetMillis = HOUR;
        pass(60 * SECOND);
        assertThat(now - START).isBetween(60 * SECOND, 63 * SECOND);
        assertThat(clock.aheadMillis()).isNegative();
    }

    @Test
    void itFindsBackToTheWallClock() {
        for (long step : new long[] {-10 * SECOND, 10 * SECOND, -HOUR, HOUR}) {
            machine.offsetMillis += step;
            pass(Math.abs(step) * EngineClock.SLEW + SECOND);
            assertThat(now - machine.wallMillis()).as("after %d ms", step).isBetween(-SLACK, SLACK);
        }
        assertThat(clock.steps()).isEqualTo(4);
    }

    @Test
    void aStepAheadOfMoreThanADayIsFollowedAtOnce() {
        machine.offsetMillis = 20_000 * DAY;
        assertThat(clock.millis()).isEqualTo(machine.wallMillis());
        assertThat(clock.steps()).isOne();
        machine.offsetMillis = 0;
        pass(SECOND);
        assertThat(now).isGreaterThan(START + 20_000 * DAY);
    }

    @Test
    void anyClockAtAllCanBeRead() {
        for (long wild : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
            Clock broken = new Clock() {
                @Override
                public long wallMillis() {
                    return wild;
                }

                @Override
                public long nanos() {
                    return Long.MAX_VALUE;
                }
            };
            assertThat(new EngineClock(broken).millis()).isBetween(0L, 253_402_300_799_999L);
        }
    }

    /**
     * Verifies the contract: over any span the clock advances by the time that has passed, within a twentieth, and
     * never goes back by a visible millisecond.
     */
    @Test
    void aLeaseIsOverAfterItsLengthWhateverIsDoneToTheWallClock() {
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Machine stepped = new Machine();
            EngineClock time = new EngineClock(stepped);
            long granted = time.millis();
            long grantedMicros = stepped.micros;
            for (int i = 0; i < 2_000; i++) {
                stepped.micros += random.nextLong(1, 1L << random.nextInt(1, 27));
                if (random.nextInt(50) == 0) {
                    stepped.offsetMillis += (random.nextBoolean() ? 1 : -1) * random.nextLong(1, 4 * HOUR);
                    stepped.offsetMillis = Math.clamp(stepped.offsetMillis, -12 * HOUR, 12 * HOUR);
                }
                long shown = time.millis() - granted;
                long passed = (stepped.micros - grantedMicros) / 1_000;
                assertThat(shown)
                        .as("seed %d, step %d, %d ms passed", seed, i, passed)
                        .isBetween(
                                passed - passed / EngineClock.SLEW - SLACK, passed + passed / EngineClock.SLEW + SLACK);
                if (random.nextInt(20) == 0) {
                    granted = time.millis();
                    grantedMicros = stepped.micros;
                }
            }
        }
    }

    private void pass(long millis) {
        for (long end = machine.micros + millis * 1_000; machine.micros < end; ) {
            machine.micros = Math.min(end, machine.micros + 7_300);
            now = clock.millis();
        }
    }
}
