package io.taskmaster.server.engine;

import java.util.Arrays;

/**
 * Which cells of a task may be stored. A task has a row in one of two places, that of the tasks that may be leased or are, and that
 * of the delayed ones, and up to three cells in it. Immutable.
 */
public record CellSet(int bits) {

    /** What an enqueue gave. */
    public static final int DATA = 1;

    /** What leases made of it; absent as long as there was none. */
    public static final int STATE = 2;

    /** The enqueue that takes its place. */
    public static final int RERUN = 4;

    private static final int DELAYED_SHIFT = 3;

    /** There are few, and many tasks: they share them. */
    private static final CellSet[] ALL = new CellSet[1 << (2 * DELAYED_SHIFT)];

    static {
        Arrays.setAll(ALL, CellSet::new);
    }

    public static final CellSet NONE = ALL[0];

    /** Nothing is known: any may be there. */
    public static final CellSet ANY = ALL[ALL.length - 1];

    /**
     * Some cells of one place.
     *
     * @param columns of {@link #DATA}, {@link #STATE} and {@link #RERUN}
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
