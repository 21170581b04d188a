package io.taskmaster.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of numbers and times over the whole range, against arithmetic that cannot overflow. */
final class DeadlinesTest {

    private static final int CASES = 2_000;

    private static final long[] CORNERS = {
        Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, 253_402_300_799_000L, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    private record Pair(long a, long b) {}

    private static Stream<Pair> pairs() {
        SplittableRandom random = new SplittableRandom(22);
        return Stream.generate(() -> new Pair(any(random), any(random))).limit(CASES);
    }

    /** Returns a random number, every second time near a limit of the range. */
    private static long any(SplittableRandom random) {
        return random.nextBoolean()
                ? CORNERS[random.nextInt(CORNERS.length)]
                : random.nextLong() >> random.nextInt(Long.SIZE);
    }

    @Test
    void millisecondsSaturate() {
        pairs().forEach(DeadlinesTest::millisecondsSaturate);
    }

    private static void millisecondsSaturate(Pair pair) {
        assertThat(Deadlines.afterMillis(pair.a, pair.b))
                .isEqualTo(saturated(BigInteger.valueOf(pair.a).add(BigInteger.valueOf(pair.b))));
        assertThat(Deadlines.millisUntil(pair.a, pair.b))
                .isEqualTo(saturated(BigInteger.valueOf(pair.a).subtract(BigInteger.valueOf(pair.b))));
    }

    @Test
    void durationsSaturate() {
        pairs().forEach(DeadlinesTest::durationsSaturate);
    }

    private static void durationsSaturate(Pair pair) {
        int fraction = Math.floorMod(pair.b, 1_000_000_000);
        Duration span = Duration.ofSeconds(pair.a, fraction);
        BigInteger nanos = BigInteger.valueOf(pair.a)
                .multiply(BigInteger.valueOf(1_000_000_000))
                .add(BigInteger.valueOf(fraction));
        BigInteger far = BigInteger.valueOf(Deadlines.FAR_NANOS);
        assertThat(BigInteger.valueOf(Deadlines.nanos(span)))
                .isEqualTo(nanos.min(far).max(far.negate()));
        assertThat(BigInteger.valueOf(Deadlines.nanos(pair.b)))
                .isEqualTo(BigInteger.valueOf(pair.b)
                        .multiply(BigInteger.valueOf(1_000_000))
                        .min(far)
                        .max(far.negate()));
        // Rounded towards zero, as the JDK's conversions are.
        assertThat(Deadlines.millis(span)).isEqualTo(saturated(nanos.divide(BigInteger.valueOf(1_000_000))));
    }

    @Test
    void ofTwoDeadlinesTheDifferenceSaysWhichIsFirst() {
        pairs().forEach(DeadlinesTest::ofTwoDeadlinesTheDifferenceSaysWhichIsFirst);
    }

    private static void ofTwoDeadlinesTheDifferenceSaysWhichIsFirst(Pair pair) {
        long now = pair.a;
        long soon = Deadlines.afterNanos(now, 1);
        long later = Deadlines.afterNanos(now + 5, pair.b);
        BigInteger delay = BigInteger.valueOf(pair.b).add(BigInteger.valueOf(4));
        assertThat(Long.signum(later - soon)).isEqualTo(delay.signum());
    }

    @Test
    void instantsSaturate() {
        pairs().forEach(DeadlinesTest::instantsSaturate);
    }

    private static void instantsSaturate(Pair pair) {
        Instant now =
                Instant.ofEpochSecond(Math.clamp(pair.b, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()));
        BigInteger seconds = BigInteger.valueOf(now.getEpochSecond()).add(BigInteger.valueOf(pair.a));
        Instant after = Deadlines.after(now, Duration.ofSeconds(pair.a));
        if (seconds.compareTo(BigInteger.valueOf(Instant.MAX.getEpochSecond())) > 0) {
            assertThat(after).isEqualTo(Instant.MAX);
        } else if (seconds.compareTo(BigInteger.valueOf(Instant.MIN.getEpochSecond())) < 0) {
            assertThat(after).isEqualTo(Instant.MIN);
        } else {
            assertThat(after).isEqualTo(Instant.ofEpochSecond(seconds.longValueExact()));
        }
    }

    private static long saturated(BigInteger exact) {
        return exact.min(BigInteger.valueOf(Long.MAX_VALUE))
                .max(BigInteger.valueOf(Long.MIN_VALUE))
                .longValueExact();
    }
}
