package io.taskmaster.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.v1.LeasedTask;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LeaseLedgerTest {

    private final LeaseLedger ledger = new LeaseLedger(10);

    @Test
    void leasesInOrderAreFine() {
        assertThat(ledger.note(tasks(0, 1, 2), ledger.floor())).isEmpty();
        assertThat(ledger.note(tasks(3), ledger.floor())).isEmpty();
        assertThat(ledger.remaining()).isEqualTo(6);
        assertThat(ledger.floor()).isEqualTo(3);
    }

    @Test
    void repliesOfConcurrentLeasesMayOvertakeEachOther() {
        long before = ledger.floor();
        assertThat(ledger.note(tasks(2, 3), before)).isEmpty();
        assertThat(ledger.note(tasks(0, 1), before)).isEmpty();
    }

    @Test
    void aTaskLeasedTwiceIsFound() {
        assertThat(ledger.note(tasks(0), -1)).isEmpty();
        assertThat(ledger.note(tasks(0), -1)).contains("check: leased a task twice");
    }

    @Test
    void aLeaseThatGoesBackIsFound() {
        assertThat(ledger.note(tasks(4), ledger.floor())).isEmpty();
        assertThat(ledger.note(tasks(3), ledger.floor())).contains("check: leased out of order");
        assertThat(ledger.note(tasks(7, 6), ledger.floor())).contains("check: leased out of order");
    }

    @Test
    void aTaskOutOfNowhereIsFound() {
        assertThat(ledger.note(tasks(10), -1)).contains("check: leased a task that was never enqueued");
        assertThat(ledger.note(tasks(-1), -1)).contains("check: leased a task that was never enqueued");
    }

    private static List<LeasedTask> tasks(long... numbers) {
        return LongStream.of(numbers)
                .mapToObj(number ->
                        LeasedTask.newBuilder().setPid(Pids.of(number)).build())
                .toList();
    }
}
