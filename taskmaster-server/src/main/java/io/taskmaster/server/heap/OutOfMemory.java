package io.taskmaster.server.heap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.server.ExitStatus;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a server that is out of memory. An {@link OutOfMemoryError} is thrown wherever the last bytes were asked for, and whoever is hit by it has done half of what it was to do: a server
 * that went on would be half dead. So whoever meets one, in whatever thread, says so here: threads that nobody guards ({@link #watch}), loops, and everything that is written to the log. If nobody
 * meets one since the collector is at work all the time, {@link HeapWatch} does. Thread-safe.
 */
public final class OutOfMemory {

    private static final Logger LOG = LoggerFactory.getLogger(OutOfMemory.class);
    private static final int MAX_CAUSES = 16;

    /** Made beforehand, when there is memory. */
    private static final byte[] MESSAGE =
            ("taskmaster: out of memory: the heap is full, and the server ends with status "
                            + ExitStatus.OUT_OF_MEMORY.code()
                            + " (expected: a larger heap, -Xmx, or lower window.bytes, in-flight.bytes, dirty.bytes or queues.max; what is committed is kept)\n")
                    .getBytes(UTF_8);

    private final FileOutputStream errors = new FileOutputStream(FileDescriptor.err);
    private final IntConsumer halt;

    /**
     * @param halt ends the process with a status, at once
     */
    OutOfMemory(IntConsumer halt) {
        this.halt = halt;
    }

    /** Ends this process once it is out of memory; to be called once, at its start. */
    public static OutOfMemory watch() {
        OutOfMemory memory = new OutOfMemory(Runtime.getRuntime()::halt);
        Thread.setDefaultUncaughtExceptionHandler(memory.handler(Thread.getDefaultUncaughtExceptionHandler()));
        HeapWatch.start(memory::end);
        return memory;
    }

    /**
     * For what no thread guards itself against.
     *
     * @param next told of everything else; null: the log is, as the JVM is silent where there is a handler
     */
    Thread.UncaughtExceptionHandler handler(Thread.@Nullable UncaughtExceptionHandler next) {
        return (thread, failure) -> {
            met(failure);
            if (next == null) {
                LOG.error("thread {} has ended, since nobody caught what it threw", thread.getName(), failure);
            } else {
                next.uncaughtException(thread, failure);
            }
        };
    }

    /** Somebody met a failure: the end, if it is that of the heap. */
    public void met(Throwable failure) {
        if (isFullHeap(failure)) {
            end();
        }
    }

    /** Tells whoever watches this process of a failure that a thread guards itself against, and survives. */
    public static void notice(Throwable failure) {
        if (isFullHeap(failure)) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        }
    }

    /** Whether a failure, or one behind it, says that the heap is full. Memory beside the heap, and threads, come and go. */
    static boolean isFullHeap(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < MAX_CAUSES && cause != null; i++) {
            if (cause.getClass() == OutOfMemoryError.class && isOfHeap(cause.getMessage())) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private static boolean isOfHeap(@Nullable String message) {
        return message == null
                || message.startsWith("Java heap space")
                || message.startsWith("GC overhead limit")
                || message.startsWith("Metaspace");
    }

    private void end() {
        try {
            errors.write(MESSAGE);
        } catch (IOException | OutOfMemoryError unheard) {
            // It ends all the same.
        } finally {
            halt.accept(ExitStatus.OUT_OF_MEMORY.code());
        }
    }
}
