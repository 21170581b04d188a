package io.taskmaster.server.partition.log;

import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.log.row.AtomAssembler;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LogRow;
import io.taskmaster.server.partition.log.row.LogRow.Fragment;
import io.taskmaster.server.partition.log.row.LogRowCodec;
import io.taskmaster.server.partition.log.row.LogSettings;
import io.taskmaster.server.partition.log.row.LoggedAtom;
import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The replay of one earlier epoch to its end; where the epoch has no end yet, the replay fences it. Single-threaded:
 * owned by the loop.
 *
 * <pre>
 *   scan a slice ----> rows in sequence, more behind them ----> scan the next slice
 *                ----> a fence in sequence --------------------> ended there
 *                ----> a gap, or nothing more -----------------> put a fence there, then
 *                          it landed --------------------------> ended there
 *                          it met a row, or outcome unknown ---> scan again from there
 * </pre>
 *
 * <p>One fence ends an epoch whose writer is dead, as nearly all are. A live writer may be faster than a single fence;
 * so the next attempts put a batch of fences that is longer than the writer can run ahead (ADR 4).
 *
 * <p>A row in the gapless beginning of an epoch stays until a checkpoint has passed it, and the first fence behind it
 * stays for ever. So every later replay of the epoch finds the same atoms. A row behind a gap never counts, since the
 * fence fills the gap before the missing row can.
 */
final class EpochReplay {

    private enum Slice {
        MORE,
        GAP,
        ENDED
    }

    private final Store store;
    private final StoreCalls calls;
    private final LogSettings settings;
    private final Nonce fencer;
    private final Consumer<LoggedAtom> sink;
    private final LogKey end;
    private final AtomAssembler assembler = new AtomAssembler();
    private @Nullable Nonce writer;
    private LogKey next;
    private int fenceBatches;

    /** True after a fence did not land: a writer of this epoch seems to be alive. */
    private boolean writerIsAlive;

    /**
     * Creates a replay.
     *
     * @param fencer the nonce of the owner that puts the fences
     * @param start the first row to read
     * @param writer the nonce that the rows of the epoch carry, or null if unknown: then the first row determines it
     */
    EpochReplay(
            Store store,
            StoreCalls calls,
            LogSettings settings,
            Nonce fencer,
            LogKey start,
            @Nullable Nonce writer,
            Consumer<LoggedAtom> sink) {
        this.store = store;
        this.calls = calls;
        this.settings = settings;
        this.fencer = fencer;
        this.sink = sink;
        this.next = start;
        this.end = LogKey.startOf(start.partition(), start.epoch() + 1);
        this.writer = writer;
    }

    /** Replays the epoch and returns the sequence of its first fence. */
    CompletableFuture<Long> run() {
        return calls.attempt(() -> store.scan(next.until(end), settings.slice()))
                .thenCompose(result -> switch (replay(result)) {
                    case MORE -> run();
                    case GAP -> fence();
                    case ENDED -> CompletableFuture.completedFuture(next.sequence());
                });
    }

    private Slice replay(ScanResult result) {
        for (Cell cell : result.cells()) {
            LogKey key = LogKey.of(cell.key().row());
            if (key.sequence() != next.sequence()) {
                return Slice.GAP;
            }
            switch (LogRowCodec.decode(key, cell.value())) {
                case LogRow.Fence _ -> {
                    return Slice.ENDED;
                }
                case LogRow.Atoms atoms -> replay(key, atoms);
            }
            next = key.next();
            // A row where the fence was to land is progress of a writer and no failure of the store: the tries begin
            // anew.
            fenceBatches = 0;
        }
        return result.complete() ? Slice.GAP : Slice.MORE;
    }

    private void replay(LogKey key, LogRow.Atoms atoms) {
        if (writer == null) {
            writer = atoms.writer();
        }
        if (!writer.equals(atoms.writer())) {
            throw LogRowCodec.corrupt(key, "its writer is %s, that of the epoch %s".formatted(atoms.writer(), writer));
        }
        for (Fragment fragment : atoms.fragments()) {
            assembler.add(key, fragment).ifPresent(sink);
        }
    }

    /**
     * Puts a fence at the first missing row, or a batch of them if the writer seems to be alive. Each is tried once: if
     * its outcome is unknown, the next scan shows whether it landed.
     */
    private CompletableFuture<Long> fence() {
        if (fenceBatches++ == calls.maxTries()) {
            throw StoreCalls.unknown("no fence could be put at " + next);
        }
        List<CompletableFuture<Boolean>> written = new ArrayList<>();
        LogKey key = next;
        int fences = writerIsAlive ? settings.fences() : 1;
        for (int i = 0; i < fences; i++) {
            LogKey fenceKey = key;
            // All at once, not one after the other: a living writer fills these sequences meanwhile.
            written.add(calls.retry(() -> store.putIfAbsent(fenceKey.cell(), LogRowCodec.fence(fenceKey, fencer)), 1)
                    .handle(StoreCalls::isDone));
            key = key.next();
        }
        return CompletableFuture.allOf(written.toArray(CompletableFuture<?>[]::new))
                .thenCompose(_ -> {
                    // Only the first fence ends the epoch. Those behind it merely stop a live writer that fills the gap
                    // first.
                    if (written.getFirst().join()) {
                        return CompletableFuture.completedFuture(next.sequence());
                    }
                    writerIsAlive = true;
                    return run();
                });
    }
}
