package io.taskmaster.command;

import io.taskmaster.model.Pid;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The PID that the engine assigns to a task enqueued without one ({@code docs/adr/0005-fifo-pid.md}): a tag that no
 * UTF-8 text begins with, then ticket and index, big-endian, 13 bytes. So assigned PIDs increase, are unique without a
 * read, and sort behind every PID that is ASCII text. Immutable.
 *
 * @param ticket the ticket of the atom that enqueued the task, or the ticket it had to be raised to
 * @param index the place in that atom
 */
public record FifoPid(long ticket, int index) implements Comparable<FifoPid> {

    /** A value less than every one that is assigned. */
    public static final FifoPid NONE = new FifoPid(0, 0);

    private static final byte TAG = (byte) 0x80;
    private static final int SIZE = 1 + Long.BYTES + Integer.BYTES;

    /**
     * The bound on tickets of explicit PIDs of this form. Above it, the next one could run out of tickets, so such PIDs
     * are refused.
     */
    private static final long MAX_TICKET = Long.MAX_VALUE >>> 1;

    /** Parses a PID of this form; empty if it has another form. */
    public static Optional<FifoPid> parse(Pid pid) {
        if (pid.size() != SIZE || pid.at(0) != (TAG & 0xff)) {
            return Optional.empty();
        }
        ByteBuffer bytes = ByteBuffer.wrap(pid.unsafeArray());
        return Optional.of(new FifoPid(bytes.getLong(1), bytes.getInt(1 + Long.BYTES)));
    }

    /** Returns whether an explicit PID is of this form and leaves no space for one behind it. */
    public static boolean isOutOfRange(Pid pid) {
        return parse(pid)
                .filter(fifo -> fifo.ticket < 0 || fifo.ticket > MAX_TICKET)
                .isPresent();
    }

    /** Returns the PID to assign next: the larger of the successor of this one and that of the atom's own place. */
    public FifoPid next(long atomTicket, int atomIndex) {
        FifoPid own = new FifoPid(atomTicket, atomIndex);
        // The index is unsigned: -1 is the largest one, so the next ticket follows it.
        return own.compareTo(this) > 0
                ? own
                : index == -1 ? new FifoPid(ticket + 1, 0) : new FifoPid(ticket, index + 1);
    }

    public Pid toPid() {
        return Pid.wrap(
                ByteBuffer.allocate(SIZE).put(TAG).putLong(ticket).putInt(index).array());
    }

    @Override
    public int compareTo(FifoPid other) {
        int byTicket = Long.compareUnsigned(ticket, other.ticket);
        return byTicket != 0 ? byTicket : Integer.compareUnsigned(index, other.index);
    }
}
