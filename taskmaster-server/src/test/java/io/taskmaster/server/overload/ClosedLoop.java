package io.taskmaster.server.overload;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A closed loop: many clients with one call in flight each, always. It offers as much as the server takes, and no more.
 * A client that is refused waits for the retry delay, give or take a half, and sends another call.
 */
final class ClosedLoop {

    private static final int MAX_PER_SECOND = 50_000;

    private final OpenLoopClient caller;
    private final CallLoad load;
    private final int clients;

    ClosedLoop(OpenLoopClient caller, CallLoad load, int clients) {
        this.caller = caller;
        this.load = load;
        this.clients = clients;
    }

    /** Runs for the given time, and until all calls are answered. Blocks. */
    Calls run(Duration length, Duration timeout) throws InterruptedException {
        Calls calls = new Calls(load, System.nanoTime(), Math.toIntExact(length.toSeconds() * MAX_PER_SECOND));
        try (var running = new Running(calls, calls.startNanos() + length.toNanos())) {
            for (int i = 0; i < clients; i++) {
                running.next();
            }
            if (!running.runningClients.await(length.plus(timeout).toNanos(), TimeUnit.NANOSECONDS)) {
                throw new AssertionError("not answered within " + timeout + ": " + calls.unanswered() + " calls");
            }
        }
        return calls;
    }

    private final class Running implements AutoCloseable {

        private final Calls calls;
        private final long endNanos;
        private final CountDownLatch runningClients = new CountDownLatch(clients);
        private final ScheduledExecutorService waiting = Executors.newSingleThreadScheduledExecutor();

        private Running(Calls calls, long endNanos) {
            this.calls = calls;
            this.endNanos = endNanos;
        }

        private void next() {
            long now = System.nanoTime();
            if (now - endNanos >= 0) {
                runningClients.countDown();
                return;
            }
            int number = calls.intend(now);
            caller.call(number, load.request(number), answer -> {
                calls.answered(number, answer);
                switch (answer) {
                    case Answer.Admitted _ -> next();
                    case Answer.Refused refused -> nextAfter(jittered(refused.retryNanos(), number));
                    // It counts, and fails the test. Until then it must not become a busy loop.
                    case Answer.Failed _ -> nextAfter(jittered(TimeUnit.MILLISECONDS.toNanos(100), number));
                }
            });
        }

        private void nextAfter(long nanos) {
            var _ = waiting.schedule(this::next, nanos, TimeUnit.NANOSECONDS);
        }

        private static long jittered(long nanos, int number) {
            return nanos / 2 + Long.remainderUnsigned(CallLoad.mixed(number), nanos + 1);
        }

        @Override
        public void close() {
            waiting.shutdownNow();
        }
    }
}
