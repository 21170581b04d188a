package io.taskmaster.stage.local.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.control.ClassLimits;
import java.time.Duration;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class AdmissionRuleTest {

    private static final long MILLI = Duration.ofMillis(1).toNanos();
    private static final Duration TARGET = Duration.ofMillis(20);
    private static final Duration INTERVAL = Duration.ofMillis(100);

    @Test
    void thresholdKeepsAShareFree() {
        AdmissionCheck control = AdmissionRule.threshold(0.5).begin(0);
        assertThat(admits(control, 49, 100, 0)).isTrue();
        assertThat(admits(control, 50, 100, 0)).isFalse();
        assertThat(control.needsWaits()).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> AdmissionRule.threshold(0));
    }

    @Test
    void tokenBucketLetsTheRateThroughAfterABurst() {
        AdmissionCheck control = AdmissionRule.tokenBucket(new Rate(100, 5)).begin(0);
        assertThat(admitted(control, 0, 0)).isEqualTo(5);
        // One per 10 ms, however many are offered.
        assertThat(admitted(control, 1, 1_000)).isEqualTo(100);
        // A pause earns no more than the burst.
        assertThat(admitted(control, 60_000, 60_000)).isEqualTo(5);
    }

    /** Returns the number of events admitted of ten offers in each millisecond. */
    private static long admitted(AdmissionCheck control, long fromMilli, long toMilli) {
        return LongStream.rangeClosed(fromMilli, toMilli)
                .flatMap(milli -> LongStream.range(0, 10).map(_ -> milli))
                .filter(milli -> admits(control, 1, 100, milli * MILLI))
                .count();
    }

    @Test
    void codelRefusesOnceWaitsWereLongForAnInterval() {
        CoDel state = CoDel.of(TARGET, INTERVAL);
        for (long milli = 0; milli < 100; milli += 10) {
            state = state.waited(30 * MILLI, milli * MILLI);
            assertThat(state.refuses(milli * MILLI)).isFalse();
        }
        state = state.waited(30 * MILLI, 100 * MILLI);
        assertThat(state.refuses(100 * MILLI)).isTrue();
    }

    @Test
    void oneShortWaitCalmsCodel() {
        CoDel state = CoDel.of(TARGET, INTERVAL).waited(30 * MILLI, 0).waited(10 * MILLI, 50 * MILLI);
        assertThat(state.waited(30 * MILLI, 100 * MILLI).refuses(100 * MILLI)).isFalse();

        CoDel refusing = state.waited(30 * MILLI, 100 * MILLI).waited(30 * MILLI, 200 * MILLI);
        assertThat(refusing.refuses(200 * MILLI)).isTrue();
        assertThat(refusing.waited(19 * MILLI, 201 * MILLI).refuses(1_000 * MILLI))
                .isFalse();
    }

    @Test
    void codelRefusesEverMoreOftenAndGoesOnWhereItWas() {
        CoDel state = CoDel.of(TARGET, INTERVAL).waited(30 * MILLI, 0).waited(30 * MILLI, 100 * MILLI);
        long first = 0;
        long second = 0;
        for (long milli = 100; milli < 1_100; milli++) {
            if (state.refuses(milli * MILLI)) {
                state = state.afterRefusal();
                first += milli < 600 ? 1 : 0;
                second += milli < 600 ? 0 : 1;
            }
        }
        assertThat(first).isGreaterThanOrEqualTo(5);
        assertThat(second).isGreaterThan(first);

        CoDel back =
                state.waited(0, 1_100 * MILLI).waited(30 * MILLI, 1_101 * MILLI).waited(30 * MILLI, 1_201 * MILLI);
        assertThat(back.refused()).isEqualTo(state.refused() - 2);
        CoDel late =
                state.waited(0, 1_100 * MILLI).waited(30 * MILLI, 9_000 * MILLI).waited(30 * MILLI, 9_100 * MILLI);
        assertThat(late.refused()).isZero();
    }

    @Test
    void codelLetsInWhenNothingWaits() {
        AdmissionCheck control = AdmissionRule.codel(TARGET, INTERVAL).begin(0);
        control.waited(30 * MILLI, 0);
        control.waited(30 * MILLI, 100 * MILLI);
        assertThat(admits(control, 0, 100, 100 * MILLI)).isTrue();
        assertThat(admits(control, 1, 100, 100 * MILLI)).isFalse();
        assertThat(admits(control, 1, 100, 100 * MILLI)).isTrue();
    }

    @Test
    void allRulesHaveToAgree() {
        AdmissionCheck control = AdmissionRule.all(
                        AdmissionRule.threshold(0.5), AdmissionRule.tokenBucket(Rate.perSecond(1)))
                .begin(0);
        assertThat(admits(control, 60, 100, 0)).isFalse();
        assertThat(admits(control, 40, 100, 0)).isTrue();
        assertThat(admits(control, 40, 100, 0)).isFalse();
        assertThat(AdmissionRule.all(AdmissionRule.codel(TARGET, INTERVAL))
                        .begin(0)
                        .needsWaits())
                .isTrue();
    }

    @Test
    void expensiveEventsTakeMoreTokensAndMoreOfTheShare() {
        AdmissionCheck bucket = AdmissionRule.tokenBucket(new Rate(1_000, 10)).begin(0);
        assertThat(bucket.admits(new Candidate(10, ServiceClass.INTERACTIVE, 0, 0, 100, 0)))
                .isTrue();
        assertThat(bucket.admits(new Candidate(1, ServiceClass.INTERACTIVE, 0, 0, 100, 0)))
                .isFalse();
        AdmissionCheck threshold = AdmissionRule.threshold(0.5).begin(0);
        assertThat(threshold.admits(new Candidate(20, ServiceClass.INTERACTIVE, 40, 0, 100, 0)))
                .isFalse();
        assertThat(threshold.admits(new Candidate(60, ServiceClass.INTERACTIVE, 0, 0, 100, 0)))
                .isTrue();
    }

    @Test
    void slowRateWithALargeBurstLetsTheBurstThrough() {
        AdmissionCheck bucket =
                AdmissionRule.tokenBucket(new Rate(0.001, 10_000_000)).begin(0);
        assertThat(admits(bucket, 0, 100, 0)).isTrue();
        assertThat(admits(bucket, 0, 100, 0)).isTrue();
    }

    private static boolean admits(AdmissionCheck control, long takenCredits, long capacity, long nowNanos) {
        return control.admits(new Candidate(1, ServiceClass.INTERACTIVE, takenCredits, 0, capacity, nowNanos));
    }

    @Test
    void responseTimesAreKeptByLettingFewerIn() {
        AdmissionCheck control = AdmissionRule.responseTimes(Map.of(ServiceClass.INTERACTIVE, Duration.ofMillis(100)))
                .begin(0);
        assertThat(control.needsResponseTimes()).isTrue();
        assertThat(admitted(control, 0, 99)).isEqualTo(1_000);

        // 500/s are answered, each after twice the target: 175/s are admitted.
        for (long i = 1; i <= 100; i++) {
            control.answered(ServiceClass.INTERACTIVE, 200 * MILLI, i * 2 * MILLI);
        }
        assertThat(admitted(control, 201, 300)).isBetween(14L, 24L);
        // Bulk events yield to the late class.
        Candidate bulk = new Candidate(1, ServiceClass.BULK, 1, 0, 100, 301 * MILLI);
        assertThat(LongStream.range(0, 100).filter(_ -> control.admits(bulk)).count())
                .isEqualTo(1);

        // Answers are in time again.
        for (long i = 1; i <= 10; i++) {
            control.answered(ServiceClass.INTERACTIVE, MILLI, (300 + i * 200) * MILLI);
        }
        assertThat(admitted(control, 2_400, 2_499)).isBetween(40L, 70L);
    }

    @Test
    void whatWaitsTooLongAlreadyIsNotWaitedForToBeLate() {
        AdmissionCheck control = AdmissionRule.responseTimes(Map.of(ServiceClass.BULK, Duration.ofSeconds(1)))
                .begin(0);
        for (long i = 1; i <= 100; i++) {
            control.answered(ServiceClass.BULK, MILLI, i * MILLI - 1);
        }
        // 1,000/s are answered, and 7,000 wait: that is seven seconds.
        assertThat(control.admits(new Candidate(1, ServiceClass.BULK, 7_000, 7_000, 20_000, 100 * MILLI)))
                .isTrue();
        assertThat(LongStream.range(101, 200)
                        .filter(milli -> control.admits(
                                new Candidate(1, ServiceClass.BULK, 7_000, 7_000, 20_000, milli * MILLI)))
                        .count())
                .isBetween(8L, 15L);
    }

    @Test
    void whatOthersWaitForCountsForNobodyElse() {
        AdmissionCheck control = AdmissionRule.responseTimes(Map.of(
                        ServiceClass.INTERACTIVE, Duration.ofMillis(100), ServiceClass.BULK, Duration.ofSeconds(1)))
                .begin(0);
        assertThat(control.admits(new Candidate(1, ServiceClass.BULK, 500, 500, 20_000, 0)))
                .isTrue();
        for (long i = 1; i <= 100; i++) {
            control.answered(ServiceClass.INTERACTIVE, MILLI, i * MILLI - 1);
            control.answered(ServiceClass.BULK, MILLI, i * MILLI - 1);
        }
        // A sample at 100 ms: 1,000/s of each class are answered, and 400 wait, all of them bulk.
        control.answered(ServiceClass.INTERACTIVE, MILLI, 100 * MILLI);
        assertThat(admitted(control, 101, 110)).isEqualTo(100);
    }

    @Test
    void aStageThatAnswersNothingIsLate() {
        AdmissionCheck control = AdmissionRule.responseTimes(Map.of(ServiceClass.INTERACTIVE, Duration.ofMillis(100)))
                .begin(0);
        Candidate waits = new Candidate(1, ServiceClass.INTERACTIVE, 10, 10, 100, 999 * MILLI);
        assertThat(control.admits(waits)).isTrue();
        Candidate later = new Candidate(1, ServiceClass.INTERACTIVE, 11, 11, 100, 1_000 * MILLI);
        assertThat(LongStream.range(0, 10).filter(_ -> control.admits(later)).count())
                .isLessThanOrEqualTo(1);
    }

    /** Counts events in the limit, whatever they cost. */
    @Test
    void anExpensiveEventIsOneEvent() {
        AdmissionCheck control = AdmissionRule.responseTimes(Map.of(ServiceClass.INTERACTIVE, Duration.ofMillis(100)))
                .begin(0);
        for (long i = 1; i <= 100; i++) {
            control.answered(ServiceClass.INTERACTIVE, 140 * MILLI, i * MILLI);
        }
        // 1,000/s are answered, at twice the time that is aimed at: 500/s are admitted.
        assertThat(LongStream.range(101, 201)
                        .filter(milli -> control.admits(
                                new Candidate(1_000, ServiceClass.INTERACTIVE, 1_000, 1, 20_000, milli * MILLI)))
                        .count())
                .isBetween(50L, 61L);
    }

    @Test
    void limitsOfABucketAreItsRateAndWhatIsInIt() {
        AdmissionCheck bucket = AdmissionRule.tokenBucket(new Rate(100, 5)).begin(0);
        assertThat(bucket.limits(0)).isEqualTo(Map.of("rate", 100.0, "burst", 5.0, "tokens", 5.0));
        assertThat(bucket.admits(new Candidate(7, ServiceClass.INTERACTIVE, 0, 0, 100, 0)))
                .isTrue();
        // It is two tokens below zero, and has one after 30 ms.
        assertThat(bucket.limits(0)).containsEntry("tokens", -2.0);
        assertThat(bucket.limits(30 * MILLI)).containsEntry("tokens", 1.0);
        assertThat(admits(bucket, 0, 100, 30 * MILLI)).isTrue();
        assertThat(bucket.limits(60_000 * MILLI)).containsEntry("tokens", 5.0);
    }

    @Test
    void limitOfCodelIsHowManyItRefuses() {
        AdmissionCheck control = AdmissionRule.codel(TARGET, INTERVAL).begin(0);
        control.waited(30 * MILLI, 0);
        assertThat(control.limits(0)).isEqualTo(Map.of("codel.refusals", 0.0));
        control.waited(30 * MILLI, 100 * MILLI);
        assertThat(control.limits(0)).isEqualTo(Map.of("codel.refusals", 10.0));
        for (long milli = 100; milli < 400; milli++) {
            boolean _ = admits(control, 1, 100, milli * MILLI);
        }
        // Refusals at 100, 200, 271, 329 and 379 ms.
        assertThat(control.limits(0).get("codel.refusals")).isCloseTo(10 * Math.sqrt(5), within(1e-9));
        control.waited(MILLI, 400 * MILLI);
        assertThat(control.limits(0)).isEqualTo(Map.of("codel.refusals", 0.0));
    }

    @Test
    void limitsOfResponseTimesAreTheRatesOfTheClasses() {
        AdmissionCheck control = AdmissionRule.responseTimes(Map.of(ServiceClass.INTERACTIVE, Duration.ofMillis(100)))
                .begin(0);
        assertThat(control.limits(0))
                .isEqualTo(Map.of("rate.interactive", ClassLimits.NO_LIMIT, "rate.bulk", ClassLimits.NO_LIMIT));
        // 1,000/s are answered, at twice the time that is aimed at.
        for (long i = 1; i <= 100; i++) {
            control.answered(ServiceClass.INTERACTIVE, 140 * MILLI, i * MILLI);
        }
        assertThat(control.limits(0).get("rate.interactive")).isBetween(490.0, 505.0);
        assertThat(control.limits(0)).containsEntry("rate.bulk", 1.0);
    }

    @Test
    void limitsOfTheSameNameAreToldApart() {
        AdmissionCheck control = AdmissionRule.all(
                        AdmissionRule.threshold(0.5),
                        AdmissionRule.tokenBucket(new Rate(1, 5)),
                        AdmissionRule.codel(TARGET, INTERVAL),
                        AdmissionRule.tokenBucket(new Rate(2, 6)))
                .begin(0);
        assertThat(control.limits(0))
                .isEqualTo(Map.of(
                        "rate",
                        1.0,
                        "burst",
                        5.0,
                        "tokens",
                        5.0,
                        "codel.refusals",
                        0.0,
                        "rate.2",
                        2.0,
                        "burst.2",
                        6.0,
                        "tokens.2",
                        6.0));
    }

    @Test
    void aDebtIsNoLongerThanABurstAtTheNewRate() {
        TokenBucket bucket = new TokenBucket(new Rate(1, 5), 0);
        assertThat(admitted(bucket, 0, 0)).isEqualTo(5);
        bucket.rate(new Rate(1_000, 2), 0);
        assertThat(admits(bucket, 1, 100, 0)).isFalse();
        assertThat(admits(bucket, 1, 100, 3 * MILLI)).isTrue();
    }
}
