package io.taskmaster.cli.common;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.util.function.LongUnaryOperator;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar of a long command, with its rate and the time left, on standard error. It is shown only at a terminal.
 * Single-threaded: owned by its command.
 */
public final class TransferProgress implements AutoCloseable {

    private static final long UNKNOWN = -1;

    private final PrintWriter err;
    private final @Nullable ProgressBar bar;
    private final LongUnaryOperator total;

    private TransferProgress(Terminal terminal, String taskName, LongUnaryOperator total) {
        this.err = terminal.err();
        this.bar = terminal.interactive() ? bar(err, taskName, total.applyAsLong(0)) : null;
        this.total = total;
    }

    private static ProgressBar bar(PrintWriter err, String taskName, long total) {
        return new ProgressBarBuilder()
                .setTaskName(taskName)
                .setInitialMax(total)
                .showSpeed()
                .setConsumer(new DelegatingProgressBarConsumer(line -> {
                    err.print('\r' + line);
                    err.flush();
                }))
                .build();
    }

    /** Returns the progress of work of a known size, which may still grow. */
    public static TransferProgress of(Terminal terminal, String taskName, long total) {
        return new TransferProgress(terminal, taskName, done -> Math.max(total, done));
    }

    /**
     * Returns the progress of work on an input. If the input is a file, the total is estimated from the part of it that
     * was read.
     */
    public static TransferProgress ofInput(Terminal terminal, String taskName, InputStream in) {
        return new TransferProgress(
                terminal,
                taskName,
                in instanceof FileInputStream file ? done -> judge(done, file.getChannel()) : _ -> UNKNOWN);
    }

    private static long judge(long done, FileChannel file) {
        try {
            long size = file.size();
            // This fails for a pipe.
            long read = file.position();
            return read > 0 && size >= read ? Math.max(done, Math.round((double) done * size / read)) : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    public void to(long done) {
        if (bar != null) {
            bar.maxHint(total.applyAsLong(done));
            bar.stepTo(done);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
            err.println();
        }
    }
}
