package io.taskmaster.server.overload;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The outcomes of the calls of a phase, in columns by their number. Latency counts from the intended time of sending,
 * so that a server that blocks its clients, or a generator that falls behind, does not look fast (no coordinated
 * omission). Thread-safe: each call is written by the one thread that gets its answer, and read when all are answered,
 * for which the loop that sent them waits.
 */
final class Calls {

    private static final byte UNANSWERED = 0;
    private static final byte ADMITTED = 1;
    private static final byte REFUSED = 2;
    private static final byte FAILED = 3;
    private static final int FAILURES_KEPT = 5;

    private final CallLoad load;
    private final long startNanos;
    private final long[] intendedNanos;
    private final long[] answeredNanos;
    private final byte[] fates;
    private final AtomicInteger used = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final Map<Integer, String> firstFailures = new ConcurrentHashMap<>();

    /**
     * Creates an empty phase.
     *
     * @param startNanos the begin of the phase; all times of this class are relative to it
     */
    Calls(CallLoad load, long startNanos, int capacity) {
        this.load = load;
        this.startNanos = startNanos;
        this.intendedNanos = new long[capacity];
        this.answeredNanos = new long[capacity];
        this.fates = new byte[capacity];
    }

    long startNanos() {
        return startNanos;
    }

    /** Adds a call that is to be sent at this time of the system's clock. Returns its number. */
    int intend(long atNanos) {
        int number = used.getAndIncrement();
        intendedNanos[number] = atNanos - startNanos;
        return number;
    }

    void answered(int number, Answer answer) {
        answeredNanos[number] = System.nanoTime() - startNanos;
        fates[number] = switch (answer) {
            case Answer.Admitted _ -> ADMITTED;
            case Answer.Refused _ -> REFUSED;
            case Answer.Failed failed -> {
                int count = failures.incrementAndGet();
                if (count <= FAILURES_KEPT) {
                    firstFailures.put(number, failed.what());
                }
                yield FAILED;
            }
        };
    }

    int count() {
        return used.get();
    }

    /** Returns the number of answers that no server may give for overload, and the first of them. */
    String failures() {
        return failures.get() == 0 ? "" : failures + " of " + count() + " calls: " + new TreeMap<>(firstFailures);
    }

    int unanswered() {
        return count(number -> fates[number] == UNANSWERED);
    }

    /** Returns the rate of admitted calls per second, by the time of the answer, over a part of the phase. */
    double admittedPerSecond(long fromNanos, long toNanos) {
        int answers = count(number ->
                fates[number] == ADMITTED && answeredNanos[number] >= fromNanos && answeredNanos[number] < toNanos);
        return answers * 1e9 / (toNanos - fromNanos);
    }

    /** Returns the share that was refused, from 0 to 1, of the calls of a class intended at or after a time. */
    double refusedShare(boolean interactive, long fromNanos) {
        int sent = count(of(interactive, fromNanos));
        int refused = count(of(interactive, fromNanos).and(number -> fates[number] == REFUSED));
        return sent == 0 ? 0 : refused / (double) sent;
    }

    private IntPredicate of(boolean interactive, long fromNanos) {
        return number -> intendedNanos[number] >= fromNanos && load.isInteractive(number) == interactive;
    }

    /**
     * Returns a percentile of the latency of the admitted calls of a class intended at or after a time: the smallest
     * latency that at least this part of them did not exceed. Infinite if there are none.
     *
     * @param part from 0 to 1
     */
    double latencyMillis(boolean interactive, double part, long fromNanos) {
        long[] sorted = IntStream.range(0, count())
                .filter(of(interactive, fromNanos).and(number -> fates[number] == ADMITTED))
                .mapToLong(number -> answeredNanos[number] - intendedNanos[number])
                .sorted()
                .toArray();
        return sorted.length == 0
                ? Double.POSITIVE_INFINITY
                : sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)] / 1e6;
    }

    private int count(IntPredicate outcome) {
        return (int) IntStream.range(0, count()).filter(outcome).count();
    }
}
