package io.taskmaster.server.engine.state;

import java.util.Arrays;

/**
 * A set of cells of a task that may be stored. A task has a row in one of two places, that of delayed tasks or that of
 * all others, and up to three cells in it. Immutable.
 */
public record CellSet(int bits) {

    /** The data of an enqueue. */
    public static final int DATA = 1;

    /** The state that leases have left; absent as long as there was none. */
    public static final int STATE = 2;

    /** The rerun: the enqueue that takes its place. */
    public static final int RERUN = 4;

    private static final int DELAYED_SHIFT = 3;

    /** All sets. There are few of them and many tasks, which share them. */
    private static final CellSet[] ALL = new CellSet[1 << (2 * DELAYED_SHIFT)];

    static {
        Arrays.setAll(ALL, CellSet::new);
    }

    public static final CellSet NONE = ALL[0];

    /** The set of a task of which nothing is known: any cell may be there. */
    public static final CellSet ANY = ALL[ALL.length - 1];

    /**
     * Returns a set of cells of one place.
     *
     * @param columns a combination of {@link #DATA}, {@link #STATE} and {@link #RERUN}
     */
    public static CellSet of(boolean delayed, int columns) {
        return ALL[delayed ? columns << DELAYED_SHIFT : columns];
    }

    public boolean has(boolean delayed, int column) {
        return (bits & of(delayed, column).bits) != 0;
    }

    public boolean isEmpty() {
        return bits == 0;
    }

    public CellSet and(CellSet other) {
        return ALL[bits | other.bits];
    }

    CellSet without(CellSet other) {
        return ALL[bits & ~other.bits];
    }
}
