package io.taskmaster.proxy.heap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.proxy.program.ExitStatus;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The termination of a server that is out of memory. An {@link OutOfMemoryError} is thrown wherever the last bytes are
 * allocated, and leaves the operation there half done: a server that went on would be in an unknown state. So every
 * catcher of one, on any thread, reports it here: the handler of uncaught exceptions ({@link #watch}), loops, and the
 * log, through which every logged failure passes. If no thread gets the error because the collector runs all the time,
 * {@link HeapWatch} reports it. Thread-safe.
 */
public final class OutOfMemory {

    private static final Logger LOG = LoggerFactory.getLogger(OutOfMemory.class);
    private static final int MAX_CAUSES = 16;

    /** Allocated in advance, while there is memory. */
    private static final byte[] MESSAGE =
            ("taskmaster: out of memory: the heap is full, so the server exits with status "
                            + ExitStatus.OUT_OF_MEMORY.code()
                            + " (expected: a larger heap, -Xmx, or lower window.bytes, in-flight.bytes, dirty.bytes or queues.max); acknowledged updates are not lost\n")
                    .getBytes(UTF_8);

    private final FileOutputStream errors = new FileOutputStream(FileDescriptor.err);
    private final IntConsumer halt;

    /**
     * Creates a reporter.
     *
     * @param halt ends the process with a status, at once
     */
    OutOfMemory(IntConsumer halt) {
        this.halt = halt;
    }

    /** Makes this process end once it is out of memory. Call once, at the start. */
    public static OutOfMemory watch() {
        OutOfMemory memory = new OutOfMemory(Runtime.getRuntime()::halt);
        Thread.setDefaultUncaughtExceptionHandler(memory.handler(Thread.getDefaultUncaughtExceptionHandler()));
        HeapWatch.start(memory::end);
        return memory;
    }

    /**
     * Returns a handler of exceptions that no thread catches.
     *
     * @param next receives all of them that do not end the process; null: they are logged, since the JVM prints nothing
     *     where a handler is set
     */
    Thread.UncaughtExceptionHandler handler(Thread.@Nullable UncaughtExceptionHandler next) {
        return (thread, failure) -> {
            met(failure);
            if (next == null) {
                LOG.error("thread {} ended with an uncaught exception", thread.getName(), failure);
            } else {
                next.uncaughtException(thread, failure);
            }
        };
    }

    /** Ends the process if a failure says that the heap is full. */
    public void met(Throwable failure) {
        if (isFullHeap(failure)) {
            end();
        }
    }

    /**
     * Reports a failure that a thread has caught and survives to the uncaught exception handler, if it says that the
     * heap is full.
     */
    public static void notice(Throwable failure) {
        if (isFullHeap(failure)) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
        }
    }

    /**
     * Returns whether a failure, or a cause of it, says that the heap is full. Shortages of direct memory and of
     * threads are temporary and do not count.
     */
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
        } catch (IOException | OutOfMemoryError ignored) {
            // The process ends all the same.
        } finally {
            halt.accept(ExitStatus.OUT_OF_MEMORY.code());
        }
    }
}
