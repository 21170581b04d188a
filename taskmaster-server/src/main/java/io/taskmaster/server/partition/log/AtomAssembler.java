package io.taskmaster.server.partition.log;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.LogRow.Fragment;
import java.io.ByteArrayOutputStream;
import java.util.Optional;

/** Puts the fragments of one epoch together, in the order of the log. Single-threaded: owned by the loop. */
final class AtomAssembler {

    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
    private boolean open;
    private long ticket;

    /** The atom, if this was its last fragment. */
    Optional<LoggedAtom> add(LogKey row, Fragment fragment) {
        if (fragment.first() == open || (open && fragment.ticket() != ticket)) {
            throw LogRowCodec.corrupt(
                    row,
                    "a fragment of ticket %d %s"
                            .formatted(
                                    fragment.ticket(),
                                    open ? "follows an open one of ticket " + ticket : "has no beginning"));
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

    /** Drops an atom whose end never came: nobody was told of it. */
    void reset() {
        open = false;
        parts.reset();
    }
}
