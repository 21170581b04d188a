package io.taskmaster.server.partition.log;

import io.taskmaster.server.store.Stamp;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Who owns a partition, and from where its log is to be replayed. One cell, changed only by compare-and-set of the whole value.
 * Immutable.
 *
 * @param epoch counts the owners; 0: nobody ever
 * @param owner the name of the owner, for people
 * @param nonce drawn by the owner when it took over
 * @param lastCompleteRound the last flush round of this epoch whose writes are all durable; 0: none
 * @param endedRounds the same of ended epochs; one that completed none is absent
 * @param mapVersion of the partition map under which the owner took over
 */
public record PartitionRecord(
        long epoch,
        String owner,
        Nonce nonce,
        Checkpoint checkpoint,
        long lastCompleteRound,
        NavigableMap<Long, Long> endedRounds,
        long mapVersion) {

    /** The state of a partition that nobody ever owned; never stored. */
    static final PartitionRecord UNOWNED =
            new PartitionRecord(0, "", new Nonce(0, 0), Checkpoint.START, 0, Collections.emptyNavigableMap(), 0);

    public PartitionRecord {
        if (epoch < 0 || lastCompleteRound < 0 || mapVersion < 0) {
            throw new IllegalArgumentException(
                    "partition record: epoch %d, round %d, map version %d (expected: not negative)"
                            .formatted(epoch, lastCompleteRound, mapVersion));
        }
        if (checkpoint.epoch() > epoch) {
            throw new IllegalArgumentException("partition record: checkpoint in epoch %d (expected: at most %d)"
                    .formatted(checkpoint.epoch(), epoch));
        }
        endedRounds = Collections.unmodifiableNavigableMap(new TreeMap<>(endedRounds));
    }

    /**
     * Whether a cell with this stamp counts, for the owner of this record: it wrote it itself, or the round it was written in is
     * known to have become whole. Any other cell is as good as absent.
     */
    public boolean believes(Stamp stamp) {
        if (stamp.epoch() == epoch) {
            return true;
        }
        Long lastComplete = endedRounds.get(stamp.epoch());
        return lastComplete != null && stamp.round() <= lastComplete;
    }

    /** The record with which somebody takes over from this one, under a map that is no older. */
    PartitionRecord succeededBy(Contender next, Nonce nextNonce) {
        NavigableMap<Long, Long> ended = new TreeMap<>(endedRounds);
        if (lastCompleteRound > 0) {
            ended.put(epoch, lastCompleteRound);
        }
        return new PartitionRecord(epoch + 1, next.name(), nextNonce, checkpoint, 0, ended, next.mapVersion());
    }

    /** The record after a flush round of this epoch. */
    PartitionRecord advancedTo(Checkpoint next, long round) {
        if (next.epoch() != epoch || checkpoint.isAfter(next)) {
            throw new IllegalArgumentException(
                    "checkpoint: %s (expected: in epoch %d, not before %s)".formatted(next, epoch, checkpoint));
        }
        if (round <= lastCompleteRound) {
            throw new IllegalArgumentException("round: %d (expected: above %d)".formatted(round, lastCompleteRound));
        }
        return new PartitionRecord(epoch, owner, nonce, next, round, endedRounds, mapVersion);
    }
}
