package io.taskmaster.cli.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.time.Clock;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.PrintWriter;

/**
 * The outside of a command: its streams, in UTF-8 whatever the locale, its clock, and its environment variables.
 *
 * @param interactive whether {@code err} is a terminal: then there may be a progress bar
 */
public record Terminal(
        InputStream in, PrintWriter out, PrintWriter err, boolean interactive, Clock clock, Environment environment) {

    /** Set by the launcher, because the JVM can detect this only for standard input and output. */
    private static final String ERR_IS_TERMINAL = "taskmaster.terminal";

    /** Makes a terminal whose environment is empty. */
    public Terminal(InputStream in, PrintWriter out, PrintWriter err, boolean interactive, Clock clock) {
        this(in, out, err, interactive, clock, Environment.EMPTY);
    }

    public static Terminal system() {
        return new Terminal(
                // As a file: System.in would hide the position.
                new FileInputStream(FileDescriptor.in),
                new PrintWriter(System.out, true, UTF_8),
                new PrintWriter(System.err, true, UTF_8),
                Boolean.getBoolean(ERR_IS_TERMINAL),
                Clock.system(),
                Environment.system());
    }
}
