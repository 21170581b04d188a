package io.taskmaster.testkit.history;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A history that is recorded in memory. Thread-safe. */
public final class HistoryBuffer implements HistorySink {

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<RecordedCall> calls = new ArrayList<>();

    @Override
    public long invoked(String client, long micros, Message request) {
        lock.lock();
        try {
            long number = calls.size() + 1L;
            calls.add(new RecordedCall(number, client, micros, RecordedCall.NEVER, request, RecordedOutcome.IN_FLIGHT));
            return number;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void completed(long number, long micros, RecordedOutcome recordedOutcome) {
        lock.lock();
        try {
            calls.set((int) (number - 1), calls.get((int) (number - 1)).completed(micros, recordedOutcome));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the history so far. Calls in flight have an unknown outcome. */
    public History history() {
        lock.lock();
        try {
            return History.of(calls);
        } finally {
            lock.unlock();
        }
    }
}
