package io.taskmaster.server.partition.log.row;

import io.taskmaster.model.Bytes;
import java.util.List;

/** A row of the log: atoms, or a fence. Immutable. */
public sealed interface LogRow {

    /**
     * A row of atoms that were grouped while earlier rows were in flight.
     *
     * @param writer the nonce of the owner of the epoch; the same in all of its rows
     */
    record Atoms(Nonce writer, List<Fragment> fragments) implements LogRow {

        public Atoms {
            fragments = List.copyOf(fragments);
        }
    }

    /**
     * A fence. The first one of an epoch is its end.
     *
     * @param owner the nonce of the later owner that put it
     */
    record Fence(Nonce owner) implements LogRow {}

    /**
     * An atom, or the part of it that fitted into the row. An atom is committed when the row of its last fragment is.
     */
    record Fragment(long ticket, boolean first, boolean last, Bytes bytes) {}
}
