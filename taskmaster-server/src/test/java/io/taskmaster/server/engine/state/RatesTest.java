package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.taskmaster.command.Counts;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of rates over about a minute. */
final class RatesTest {

    private static final long NOW = 1_000_000;
    private static final Pid PID = Pid.of("p");
    private static final ApplyAtom.Remove REMOVE = new ApplyAtom.Remove(PID);
    private static final Enqueued DATA = new Enqueued(SmallPartition.DATA, 0, 0);

    private final Rates rates = new Rates();

    @Test
    void aSteadyRateIsFoundAfterSomeMinutes() {
        for (long now = 1_000_000; now < 1_600_000; now += 10) {
            count(rates, put(), null, now);
        }
        assertThat(rates.enqueuesPerSecond(1_600_000)).isCloseTo(100, within(1.0));
        assertThat(rates.leasesPerSecond(1_600_000)).isZero();
    }

    @Test
    void whatHappenedFadesWithinMinutes() {
        for (int i = 0; i < 60_000; i++) {
            count(rates, lease(1), null, 1_000_000);
        }
        assertThat(rates.leasesPerSecond(1_000_000)).isCloseTo(1_000, within(1.0));
        assertThat(rates.leasesPerSecond(1_060_000)).isCloseTo(368, within(1.0));
        assertThat(rates.leasesPerSecond(1_600_000)).isLessThan(.1);
    }

    @Test
    void eachRateFadesWheneverItIsAskedFor() {
        count(rates, put(), null, NOW);
        count(rates, lease(1), null, NOW);
        count(rates, REMOVE, null, NOW);
        assertThat(rates.enqueuesPerSecond(NOW + 60_000)).isCloseTo(1 / Math.E / 60, within(1e-9));
        assertThat(rates.leasesPerSecond(NOW + 120_000)).isCloseTo(Math.exp(-2) / 60, within(1e-9));
        assertThat(rates.dequeuesPerSecond(NOW + 180_000)).isCloseTo(Math.exp(-3) / 60, within(1e-9));
    }

    @Test
    void whatHappensWithinAStepIsOffByLittle() {
        for (int i = 0; i < 6_000; i++) {
            count(rates, put(), null, NOW + i / 60);
        }
        assertThat(rates.enqueuesPerSecond(NOW + 100))
                .isCloseTo(100, within(.2))
                .isLessThan(100);
    }

    @Test
    void ofSeveralQueuesTheyAddUp() {
        Rates other = new Rates();
        Rates both = new Rates();
        for (int i = 0; i < 60_000; i++) {
            count(rates, put(), null, 1_000_000);
            count(other, put(), null, 1_060_000);
        }
        count(rates, REMOVE, grant(2 * NOW, 1_000_000 - 10), 1_000_000);
        count(other, REMOVE, grant(2 * NOW, 1_060_000 - 20), 1_060_000);
        both.add(other, 1_060_000);
        both.add(rates, 1_060_000);

        assertThat(both.enqueuesPerSecond(1_060_000)).isCloseTo(1_368, within(1.0));
        assertThat(both.meanLeaseMillis())
                .hasValueSatisfying(mean -> assertThat(mean).isCloseTo(15, within(1e-9)));
        assertThat(rates.enqueuesPerSecond(1_000_000)).as("left as it was").isCloseTo(1_000, within(1.0));
    }

    @Test
    void aClockThatGoesBackDoesNoHarm() {
        count(rates, REMOVE, null, 1_000_000);
        count(rates, REMOVE, null, 900_000);
        assertThat(rates.dequeuesPerSecond(800_000)).isCloseTo(2 / 60.0, within(1e-9));
    }

    @Test
    void tasksAreCountedByWhatBecomesOfThem() {
        Grant running = grant(2 * NOW, 500);
        count(put(), null);
        count(put(), null);
        count(lease(1), null);
        count(lease(1), running);
        count(lease(2), running);
        count(lease(3), running);
        count(new ApplyAtom.Free(PID, 1, false), running);
        count(new ApplyAtom.Move(PID, DATA, 1, null), null);
        count(new ApplyAtom.Remember(PID, running, 1, DATA), running);
        count(new ApplyAtom.Remove(PID), null);
        assertCounted(2, 3, 1);
        assertThat(rates.meanLeaseMillis()).as("nobody had leased it").isEmpty();
        count(new ApplyAtom.Remove(PID), running);
        assertCounted(2, 3, 2);
        assertThat(rates.meanLeaseMillis()).contains(NOW - 500.0);
    }

    @Test
    void whatTakesThePlaceOfALeasedTaskHasDequeuedItUnlessTheLeaseRanOut() {
        count(put(), grant(NOW, 900));
        assertCounted(1, 0, 0);
        assertThat(rates.meanLeaseMillis()).isEmpty();
        count(put(), grant(NOW + 1, 900));
        assertCounted(2, 0, 1);
        assertThat(rates.meanLeaseMillis()).contains(NOW - 900.0);
    }

    @Test
    void ofSeveralQueuesEverythingAddsUp() {
        Rates other = new Rates();
        for (Rates one : new Rates[] {rates, other}) {
            count(one, put(), null, NOW);
            count(one, lease(1), null, NOW);
            count(one, REMOVE, null, NOW);
            one.expired();
        }
        count(other, REMOVE, null, NOW);
        rates.add(other, NOW);
        assertCounted(2, 2, 3);
        assertThat(rates.expiredLeases()).isEqualTo(2);
    }

    @Test
    void ratesOfLongAgoDoNotCountAsOfNow() {
        Rates sum = new Rates();
        count(sum, REMOVE, null, NOW);
        count(rates, REMOVE, null, NOW);
        sum.add(rates, NOW + 60_000);
        assertThat(sum.dequeuesPerSecond(NOW + 60_000)).isCloseTo(2 / Math.E / 60, within(1e-9));
    }

    private void count(ApplyAtom.TaskChange change, @Nullable Grant before) {
        count(rates, change, before, NOW);
    }

    private static void count(Rates rates, ApplyAtom.TaskChange change, @Nullable Grant before, long nowMillis) {
        QueueState queue = new PartitionState(EngineSettings.DEFAULTS).queues().create(QueueKey.of("q"), 1);
        Task task = new Task(queue, PID);
        task.grant = before;
        TaskCounts taskCounts = new TaskCounts();
        task.change(change, taskCounts, nowMillis);
        rates.count(taskCounts, nowMillis);
    }

    private void assertCounted(int enqueued, int leased, int dequeued) {
        assertThat(rates.enqueuesPerSecond(NOW)).as("enqueued").isCloseTo(enqueued / 60.0, within(1e-9));
        assertThat(rates.leasesPerSecond(NOW)).as("leased").isCloseTo(leased / 60.0, within(1e-9));
        assertThat(rates.dequeuesPerSecond(NOW)).as("dequeued").isCloseTo(dequeued / 60.0, within(1e-9));
        assertThat(rates.counts()).isEqualTo(new Counts(enqueued, leased, dequeued, rates.expiredLeases()));
    }

    private static ApplyAtom.Put put() {
        return new ApplyAtom.Put(PID, DATA);
    }

    private static ApplyAtom.Lease lease(long leaseId) {
        return new ApplyAtom.Lease(PID, new Grant(leaseId, 500, 2 * NOW, "w", "here"), 1, false);
    }

    private static Grant grant(long expiresMillis, long leasedMillis) {
        return new Grant(1, leasedMillis, expiresMillis, "w", "here");
    }
}
