package io.taskmaster.server.partition.log.row;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.row.LogRow.Fragment;
import java.io.ByteArrayOutputStream;
import java.util.Optional;

/**
 * Reassembly of the atoms of one epoch from their fragments, in the order of the log. Single-threaded: owned by the
 * loop.
 */
public final class AtomAssembler {

    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
    private boolean open;
    private long ticket;

    /**
     * Adds the next fragment and returns the atom if this was its last one.
     *
     * @throws CorruptLogException if the fragment neither continues the open atom nor begins a new one
     */
    public Optional<LoggedAtom> add(LogKey row, Fragment fragment) {
        if (fragment.first() == open || (open && fragment.ticket() != ticket)) {
            throw LogRowCodec.corrupt(
                    row,
                    "a fragment of ticket %d %s"
                            .formatted(
                                    fragment.ticket(),
                                    open ? "follows an incomplete one of ticket " + ticket : "has no first part"));
        }
        if (fragment.first() && fragment.last()) {
            return Optional.of(new LoggedAtom(fragment.ticket(), fragment.bytes()));
        }
        open = true;
        ticket = fragment.ticket();
        parts.writeBytes(fragment.bytes().unsafeArray());
        if (!fragment.last()) {
            return Optional.empty();
        }
        LoggedAtom atom = new LoggedAtom(ticket, Bytes.wrap(parts.toByteArray()));
        reset();
        return Optional.of(atom);
    }

    /**
     * Drops an incomplete atom. Its last fragment never became durable, so it was never committed and no caller got a
     * reply for it.
     */
    void reset() {
        open = false;
        parts.reset();
    }
}
