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

/** The histories of all partitions of a run, with their owners. Single-threaded: owned by the simulation. */
final class Journals {

    /**
     * The bound on states of the check of a partition. It is low since there are many partitions, and the oracle checks
     * the clients' view as well.
     */
    private static final int MAX_STATES = 5_000;

    private final Tampering tampering;
    private final List<History> histories;

    /** The dedup window. */
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
     * Returns the latest epoch under which a process owns or owned a partition. A process takes a new epoch only after
     * all calls of the old one are answered, and an epoch that it failed to acquire never answers a call.
     */
    Holder holder(OwnerProcess process, int partition) {
        return tampering.owners(partition).sequencedValues().reversed().stream()
                .filter(holder -> holder instanceof Tenure tenure && tenure.process() == process)
                .findFirst()
                .orElse(process);
    }

    /** Returns whether another process has taken over a partition since. */
    boolean isDeposed(OwnerProcess process, int partition) {
        SequencedMap<Long, Holder> owners = tampering.owners(partition);
        return !owners.isEmpty() && !owners.lastEntry().getValue().equals(holder(process, partition));
    }

    int commands() {
        return histories.stream().mapToInt(History::size).sum();
    }

    /**
     * Checks the history of every partition.
     *
     * @return the largest number of states carried along; 0 if some partition is undecided
     * @throws Violation if a history is impossible
     */
    int judge() {
        int maxRows = 1;
        for (int partition = 0; partition < histories.size(); partition++) {
            int states;
            try {
                states = Judge.judge(histories.get(partition), tampering.owners(partition), windowMillis, MAX_STATES);
            } catch (Violation violation) {
                throw new Violation("partition " + partition + ": " + violation.getMessage(), violation);
            }
            boolean silent = histories.get(partition).answers() == 0;
            maxRows = (states == 0 && !silent) || maxRows == 0 ? 0 : Math.max(maxRows, states);
        }
        return maxRows;
    }
}
