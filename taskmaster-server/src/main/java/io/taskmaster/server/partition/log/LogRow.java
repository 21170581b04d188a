package io.taskmaster.server.partition.log;

import io.taskmaster.model.Bytes;
import java.util.List;

/** What one row of the log says. Immutable. */
sealed interface LogRow {

    /**
     * Atoms that gathered while earlier rows were on their way.
     *
     * @param writer the owner of the epoch; the same in all of its rows
     */
    record Atoms(Nonce writer, List<Fragment> fragments) implements LogRow {

        public Atoms {
            fragments = List.copyOf(fragments);
        }
    }

    /**
     * The end of the epoch, if it is the first.
     *
     * @param owner a later owner, who put it there
     */
    record Fence(Nonce owner) implements LogRow {}

    /** An atom, or the part of it that fitted into the row. An atom counts when its last part does. */
    record Fragment(long ticket, boolean first, boolean last, Bytes bytes) {}
}
