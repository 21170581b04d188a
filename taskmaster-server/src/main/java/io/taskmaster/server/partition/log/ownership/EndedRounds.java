package io.taskmaster.server.partition.log.ownership;

import io.taskmaster.server.store.Stamp;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The flush rounds of ended epochs that count. Of an epoch that was closed clean all rounds count, since nothing that
 * it wrote is in flight any more. Of any other epoch the rounds up to its last complete one count. Only the unclean
 * epochs are listed, so the list grows with failures and not with restarts (ADR 15). Immutable.
 *
 * @param completeFrom the first epoch of which all rounds count unless it is listed; an earlier epoch counts only if it
 *     is listed
 * @param unclean the last complete round of each epoch that was not closed clean; 0: none
 */
public record EndedRounds(long completeFrom, NavigableMap<Long, Long> unclean) {

    /** The rounds of a partition that never had an owner. */
    static final EndedRounds NONE = since(1);

    public EndedRounds {
        if (completeFrom < 1) {
            throw new IllegalArgumentException(
                    "ended rounds: whole from epoch " + completeFrom + " (expected: at least 1)");
        }
        unclean = Collections.unmodifiableNavigableMap(new TreeMap<>(unclean));
    }

    /** Returns rounds that exclude every epoch before this one. */
    static EndedRounds since(long epoch) {
        return new EndedRounds(epoch, Collections.emptyNavigableMap());
    }

    /** Returns these rounds and those of one more epoch that did not end clean. */
    EndedRounds with(long epoch, long lastCompleteRound) {
        NavigableMap<Long, Long> more = new TreeMap<>(unclean);
        more.put(epoch, lastCompleteRound);
        return new EndedRounds(completeFrom, more);
    }

    /** Returns true if a cell of an ended epoch counts. */
    boolean believes(Stamp stamp) {
        Long last = unclean.get(stamp.epoch());
        return last == null ? stamp.epoch() >= completeFrom : stamp.round() <= last;
    }
}
