package io.taskmaster.simulation.store;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.LogFormats;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.Table;
import io.taskmaster.simulation.world.Holder;
import io.taskmaster.simulation.world.OwnerProcess;
import io.taskmaster.simulation.world.Rule;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The place where a rule is suspended, between the store operations and the rows, so that the code under test needs no
 * switches for it. It also records takeovers, since every operation that matters passes here when it lands.
 * Single-threaded: owned by the simulation.
 */
public final class Tampering {

    /** The partition in runs of one partition. */
    public static final int PARTITION = 3;

    private final StoredRows rows;
    private final Optional<Rule> reverted;

    /** A factory of the owners that are recorded at takeovers. */
    public interface Registrar {

        Holder holder(OwnerProcess process, int partition, long epoch);
    }

    private final Registrar registrar;

    /** The owners of each partition, by epoch. */
    private final Map<Integer, SortedMap<Long, Holder>> owners = new TreeMap<>();

    public Tampering(StoredRows rows, Optional<Rule> reverted) {
        this(rows, reverted, (process, _, _) -> process);
    }

    public Tampering(StoredRows rows, Optional<Rule> reverted, Registrar registrar) {
        this.rows = rows;
        this.reverted = reverted;
        this.registrar = registrar;
    }

    public SortedMap<Long, Holder> owners() {
        return owners(PARTITION);
    }

    public SortedMap<Long, Holder> owners(int partition) {
        return owners.computeIfAbsent(partition, _ -> new TreeMap<>());
    }

    private static int partitionOf(CellKey key) {
        return key.row().at(0) << Byte.SIZE | key.row().at(1);
    }

    boolean stampsAreCompared() {
        return holds(Rule.STAMPS_ARE_COMPARED);
    }

    boolean unknownWritesFail() {
        return holds(Rule.UNKNOWN_WRITES_END_THE_ROUND);
    }

    boolean syncs() {
        return holds(Rule.CHECKPOINTS_WAIT_FOR_THE_SYNC);
    }

    boolean answersBeforeDurable(CellKey key, Bytes value) {
        return !holds(Rule.ANSWERS_WAIT_FOR_THE_LOG) && key.table() == Table.LOG && !LogFormats.isFence(key, value);
    }

    /**
     * Executes a put-if-absent that lands.
     *
     * @return the result that its issuer receives
     */
    boolean putIfAbsent(CellKey key, Bytes value) {
        if (key.table() != Table.LOG) {
            return rows.putIfAbsent(key, value);
        }
        boolean fence = LogFormats.isFence(key, value);
        // Suspended: only the last epoch is fenced, and the fences of older ones are reported as put.
        if (fence
                && !holds(Rule.EVERY_EPOCH_IS_FENCED)
                && LogFormats.epochOf(key) < owners(partitionOf(key)).lastKey() - 1) {
            return true;
        }
        if (!fence && !holds(Rule.LOG_ROWS_ARE_PUT_IF_ABSENT)) {
            rows.set(key, value);
            return true;
        }
        // Suspended: a row without effect is reported as put although a successor's fence is in its place.
        boolean mayLie = !fence && !holds(Rule.EVERY_REPLY_RIDES_THE_LOG) && LogFormats.changesNothing(key, value);
        return rows.putIfAbsent(key, value) || mayLie;
    }

    /**
     * Executes a compare-and-set that lands, and records a takeover.
     *
     * @return the result that its issuer receives
     */
    boolean compareAndSet(OwnerProcess process, CellKey key, Optional<Bytes> expected, Bytes value) {
        int partition = partitionOf(key);
        Optional<Bytes> existing = rows.cell(key).map(Cell::value);
        PartitionRecord next = LogFormats.record(partition, value);
        if (!holds(Rule.CHECKPOINT_IS_COMPARED_AND_SET)
                && existing.isPresent()
                && expected.filter(old -> LogFormats.record(partition, old).epoch() == next.epoch())
                        .isPresent()) {
            rows.set(key, LogFormats.withCheckpointOf(LogFormats.record(partition, existing.get()), next));
            return true;
        }
        boolean done = rows.compareAndSet(key, expected, value);
        if (done) {
            owners(partition).computeIfAbsent(next.epoch(), epoch -> registrar.holder(process, partition, epoch));
        }
        return done;
    }

    /**
     * Returns the range that a deletion of this range deletes. Without {@link Rule#FENCES_ARE_KEPT}, trimming also
     * deletes everything before it, fences included.
     */
    RowRange deleted(RowRange range) {
        if (holds(Rule.FENCES_ARE_KEPT) || range.table() != Table.LOG) {
            return range;
        }
        Bytes partition = Bytes.wrap(Arrays.copyOf(range.to().unsafeArray(), Store.PARTITION_PREFIX_BYTES));
        return new RowRange(Table.LOG, partition, range.to());
    }

    /** Returns a stored cell as a reader sees it. */
    Cell seen(Cell cell) {
        boolean stamped = !cell.stamp().equals(StoredRows.UNSTAMPED);
        return stamped && !holds(Rule.ONLY_COMPLETE_ROUNDS_ARE_BELIEVED)
                ? new Cell(cell.key(), new Stamp(owners(partitionOf(cell.key())).lastKey(), 0), cell.value())
                : cell;
    }

    private boolean holds(Rule rule) {
        return reverted.filter(rule::equals).isEmpty();
    }
}
