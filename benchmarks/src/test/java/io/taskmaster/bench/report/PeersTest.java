package io.taskmaster.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.bench.report.Peers.Discipline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeersTest {

    @ParameterizedTest
    @CsvSource({
        "ENQUEUE, Redis, 32500",
        "ENQUEUE_50, PostgreSQL, 54400",
        "LEASE, Redis, 16100",
        "LEASE_50, Redis, 75400",
        "HAND_OFF, Redis, 17400"
    })
    void theBestDurablePeersAreThoseOfTheDesign(Discipline discipline, String name, int rate) {
        assertThat(Peers.bestDurable(discipline).name()).startsWith(name);
        assertThat(Peers.bestDurable(discipline).rate(discipline)).isEqualTo(rate);
    }

    @ParameterizedTest
    @CsvSource({
        "ENQUEUE, NATS, 79700",
        "ENQUEUE_50, NATS, 96400",
        "LEASE, beanstalkd, 51300",
        "LEASE_50, NATS, 103500",
        "HAND_OFF, beanstalkd, 27900"
    })
    void theBestUnsyncedPeersAreThoseOfTheDesign(Discipline discipline, String name, int rate) {
        assertThat(Peers.bestUnsynced(discipline).name()).startsWith(name);
        assertThat(Peers.bestUnsynced(discipline).rate(discipline)).isEqualTo(rate);
    }

    @Test
    void onlyBatchesThatThePeersWereAskedForAreCompared() {
        assertThat(Discipline.enqueue(1)).contains(Discipline.ENQUEUE);
        assertThat(Discipline.enqueue(50)).contains(Discipline.ENQUEUE_50);
        assertThat(Discipline.lease(7)).isEmpty();
        assertThat(Discipline.handOff(50)).isEmpty();
    }

    @Test
    void everyPeerHasAName() {
        assertThat(Peers.all()).extracting(Peers.Peer::name).doesNotHaveDuplicates();
    }
}
