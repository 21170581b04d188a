package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AlarmTest {

    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final long WEEK = Duration.ofDays(7).toMillis();

    private final TurnedLoop loop = new TurnedLoop();

    /** How far the engine's clock was set ahead, which no timer notices. */
    private long aheadMillis;

    private long dueMillis;
    private int early;
    private int onTime;
    private final Alarm alarm = new Alarm(loop, this::goOff);

    private long now() {
        return loop.nowMillis() + aheadMillis;
    }

    private void goOff() {
        if (now() >= dueMillis) {
            onTime++;
        } else {
            early++;
            alarm.set(dueMillis, now());
        }
    }

    private void setIn(long millis) {
        dueMillis = now() + millis;
        alarm.set(dueMillis, now());
    }

    @Test
    void goesOffOnTime() {
        setIn(10);
        loop.pass(9);
        assertThat(onTime).isZero();
        loop.pass(1);
        assertThat(onTime).isEqualTo(1);
        assertThat(early).isZero();
    }

    @Test
    void ofTwoTimesTheEarlierCounts() {
        setIn(50);
        setIn(20);
        loop.pass(20);
        assertThat(onTime).isEqualTo(1);
    }

    /** It is set to a week from now, and a moment later the clock is set ahead by that week. */
    @Test
    void aClockThatIsSetAheadIsFollowedWithinAMinute() {
        setIn(WEEK);
        loop.pass(1);
        aheadMillis = WEEK;
        loop.pass(MINUTE);
        assertThat(onTime).isEqualTo(1);
    }

    @Test
    void whileItWaitsForLongItGoesOffOnceAMinute() {
        setIn(WEEK);
        loop.pass(MINUTE / 2);
        setIn(WEEK / 2);
        loop.pass(100 * MINUTE);
        assertThat(early).isBetween(100, 101);
    }

    @Test
    void neverIsNever() {
        alarm.set(Long.MAX_VALUE, now());
        loop.pass(WEEK);
        assertThat(loop.turns()).isZero();
    }
}
