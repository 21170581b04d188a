package io.taskmaster.server.partition.log;

import io.taskmaster.server.store.Stamp;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The flush rounds of ended epochs that are believed: all of an epoch that was closed clean, since nothing that it wrote is on its way any
 * more; of any other, those up to its last complete one. Only the others are named, so this grows with failures and not with restarts.
 * Immutable.
 *
 * @param wholeFrom the first epoch that is believed whole unless it is named; an earlier one counts only if it is named
 * @param unclean the last complete round of epochs that were not closed clean; 0: none
 */
public record EndedRounds(long wholeFrom, NavigableMap<Long, Long> unclean) {

    /** Of a partition that nobody ever owned. */
    static final EndedRounds NONE = since(1);

    public EndedRounds {
        if (wholeFrom < 1) {
            throw new IllegalArgumentException(
                    "ended rounds: whole from epoch " + wholeFrom + " (expected: at least 1)");
        }
        unclean = Collections.unmodifiableNavigableMap(new TreeMap<>(unclean));
    }

    /** No epoch before this one is believed. */
    static EndedRounds since(long epoch) {
        return new EndedRounds(epoch, Collections.emptyNavigableMap());
    }

    /** Another epoch has ended otherwise than clean. */
    EndedRounds with(long epoch, long lastCompleteRound) {
        NavigableMap<Long, Long> more = new TreeMap<>(unclean);
        more.put(epoch, lastCompleteRound);
        return new EndedRounds(wholeFrom, more);
    }

    /** Whether a cell of an ended epoch counts. */
    boolean believes(Stamp stamp) {
        Long last = unclean.get(stamp.epoch());
        return last == null ? stamp.epoch() >= wholeFrom : stamp.round() <= last;
    }
}
