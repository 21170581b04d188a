package io.taskmaster.cli.common;

import io.taskmaster.model.Pid;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text form of PIDs on the command line: that of {@link ByteText}, and {@code fifo:TICKET-INDEX} for a PID that the
 * server assigned ({@code docs/adr/0005-fifo-pid.md}), both numbers unsigned and in decimal. It round-trips:
 * {@link #parse} reads whatever this class writes. A text of another form that begins with {@code fifo:} is that text;
 * a PID whose own text has this form is written in Base64. Thread-safe: stateless.
 */
public final class PidText {

    private static final String PREFIX = "fifo:";
    private static final Pattern FORM = Pattern.compile(PREFIX + "(0|[1-9]\\d{0,19})-(0|[1-9]\\d{0,9})");

    /** The first byte of an assigned PID, which no UTF-8 text begins with. */
    private static final byte TAG = (byte) 0x80;

    private static final int SIZE = 1 + Long.BYTES + Integer.BYTES;

    private PidText() {}

    public static Pid parse(String text) {
        return assigned(text).orElseGet(() -> Pid.wrap(ByteText.parse(text)));
    }

    /** Returns the PID for a line of text: without control characters. */
    public static String line(Pid pid) {
        return text(pid, ByteText.line(pid));
    }

    /** Returns the PID for JSON, which can carry any text. */
    static String text(Pid pid) {
        return text(pid, ByteText.text(pid));
    }

    private static String text(Pid pid, String other) {
        if (pid.size() == SIZE && (byte) pid.at(0) == TAG) {
            ByteBuffer bytes = ByteBuffer.wrap(pid.unsafeArray());
            return PREFIX + Long.toUnsignedString(bytes.getLong(1)) + "-"
                    + Integer.toUnsignedString(bytes.getInt(1 + Long.BYTES));
        }
        return assigned(other).isPresent() ? ByteText.encode(pid) : other;
    }

    private static Optional<Pid> assigned(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Pid.wrap(ByteBuffer.allocate(SIZE)
                    .put(TAG)
                    .putLong(Long.parseUnsignedLong(form.group(1)))
                    .putInt(Integer.parseUnsignedInt(form.group(2)))
                    .array()));
        } catch (NumberFormatException tooLarge) {
            return Optional.empty();
        }
    }
}
