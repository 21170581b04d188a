package io.taskmaster.server.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A few threads that each call, wait for the answer, and call again. Not thread-safe. */
final class Callers implements AutoCloseable {

    private final int count;
    private final ExecutorService threads;

    Callers(int count) {
        this.count = count;
        this.threads = Executors.newFixedThreadPool(count);
    }

    /** Calls for the given time. Calls that have begun are completed, and count. Blocks. */
    Samples call(Duration span, Call call) {
        long endNanos = System.nanoTime() + span.toNanos();
        List<CompletableFuture<Samples>> ends = new ArrayList<>();
        for (int caller = 0; caller < count; caller++) {
            ends.add(CompletableFuture.supplyAsync(
                    () -> {
                        Samples samples = new Samples();
                        do {
                            samples.add(call.timed());
                        } while (System.nanoTime() - endNanos < 0);
                        return samples;
                    },
                    threads));
        }
        Samples all = new Samples();
        ends.forEach(end -> all.addAll(end.join()));
        return all;
    }

    @Override
    public void close() {
        threads.close();
    }

    /** A call to be made repeatedly. Thread-safe. */
    @FunctionalInterface
    interface Call {

        /** Calls, and undoes its effect. Returns the duration of the part that counts, in nanoseconds. */
        long timed();
    }
}
