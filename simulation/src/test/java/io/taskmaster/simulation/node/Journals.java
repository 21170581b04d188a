package io.taskmaster.simulation.node;

import io.taskmaster.simulation.judge.History;
import io.taskmaster.simulation.judge.Judge;
import io.taskmaster.simulation.store.Tampering;
import io.taskmaster.simulation.world.Holder;
import io.taskmaster.simulation.world.OwnerProcess;
import io.taskmaster.simulation.world.Violation;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.IntStream;

/** What every partition was asked and answered, by whom, and who had it when. Single-threaded. */
final class Journals {

    /** There are many partitions, and few of which more need be known: clients are judged besides. */
    private static final int MAX_STATES = 5_000;

    private final Tampering tampering;
    private final List<History> histories;

    /** How long request ids are remembered. */
    private final long windowMillis;

    Journals(int partitions, long windowMillis, Tampering tampering) {
        this.windowMillis = windowMillis;
        this.tampering = tampering;
        this.histories =
                IntStream.range(0, partitions).mapToObj(_ -> new History()).toList();
    }

    History history(int partition) {
        return histories.get(partition);
    }

    /**
     * Under which epoch a process has a partition, or has it last: it takes a new one only when all of the old one are answered, and
     * the epochs that it asked for in vain never answer anybody.
     */
    Holder holder(OwnerProcess process, int partition) {
        return tampering.owners(partition).sequencedValues().reversed().stream()
                .filter(holder -> holder instanceof Tenure tenure && tenure.process() == process)
                .findFirst()
                .orElse(process);
    }

    /** Whether somebody else has taken a partition over meanwhile. */
    boolean isDeposed(OwnerProcess process, int partition) {
        SequencedMap<Long, Holder> owners = tampering.owners(partition);
        return !owners.isEmpty() && !owners.lastEntry().getValue().equals(holder(process, partition));
    }

    int commands() {
        return histories.stream().mapToInt(History::size).sum();
    }

    /**
     * Judges every partition.
     *
     * @return the most states that were carried along; 0: they were too many in some partition, of which nothing is said
     * @throws Violation if an answer cannot be
     */
    int judge() {
        int most = 1;
        for (int partition = 0; partition < histories.size(); partition++) {
            int states;
            try {
                states = Judge.judge(histories.get(partition), tampering.owners(partition), windowMillis, MAX_STATES);
            } catch (Violation violation) {
                throw new Violation("partition " + partition + ": " + violation.getMessage(), violation);
            }
            boolean silent = histories.get(partition).answers() == 0;
            most = (states == 0 && !silent) || most == 0 ? 0 : Math.max(most, states);
        }
        return most;
    }
}
