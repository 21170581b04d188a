package io.taskmaster.stage.net.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory budget of an endpoint: bytes that were read and that the sink has not taken, and bytes that peers have not
 * read, over all connections (docs/adr/0019-one-budget-for-all-connections-of-an-endpoint.md). Thread-safe; depends on
 * neither sockets nor time.
 *
 * <p>Each connection has a small part of its own ({@link #ownBytes}) for input, another one for output, and a byte
 * ({@link #PROBE_BYTES}); the rest is common. So a connection that holds nothing is always read, and small messages
 * pass in both directions whatever others hold. Beyond its own part, a connection takes common bytes:
 *
 * <ul>
 *   <li>A read takes its bytes when the socket is readable, not when the read is requested: a connection whose peer
 *       sends nothing holds nothing.
 *   <li>When nothing is left, a read gets one byte, which shows that there is more. Then the connection waits in line,
 *       longest wait first, and is not read. While connections wait, no other one takes common bytes for input.
 *   <li>If incomplete messages hold everything, nothing would ever come free. So if nothing is left, the first in line
 *       is {@linkplain #isExempt exempt}, one at a time: it is read until its message is complete and was taken by the
 *       sink.
 *   <li>Messages are sent while something is left. First answers are always taken. If answers alone hold everything,
 *       {@link #isFullOfOutput nothing is given to the sink}.
 * </ul>
 *
 * <p>Invariant: the bytes held never exceed {@link #maxBytes}, one message that is read, one for each that is being
 * sent at the moment, and the answers to messages that the sink was given.
 */
public final class Budget {

    /** A listener for events that concern all connections. Called without a lock, on any thread. */
    public interface Listener {

        /** Called when a connection has to wait, or a message is refused, since the budget is used up. */
        void onPressure();

        /** Called when there is space for answers again. */
        void onOutputReleased();

        /** Has to call {@link Budget#serve} in a moment. */
        void scheduleServe();
    }

    /** The most bytes that one read takes. */
    public static final int READ_BYTES = 64 << 10;

    /** The bytes of each connection for the byte that shows that there is more. */
    static final int PROBE_BYTES = 1;

    private static final int MAX_OWN_BYTES = 4 << 10;

    private final long maxBytes;
    private final int ownBytes;
    private final long commonBytes;
    private final Listener listener;

    /** The common bytes in use, those of output included. */
    private final AtomicLong used = new AtomicLong();

    private final AtomicLong output = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();

    /** The connections that wait, by ticket: longest wait first. */
    @GuardedBy("lock")
    private final NavigableMap<Long, Share> waiters = new TreeMap<>();

    @GuardedBy("lock")
    private long lastTicket;

    /** The length of the line. Written under the lock. */
    private volatile int waiting;

    /** The exempt connection. Written under the lock. */
    private volatile @Nullable Share exempt;

    public Budget(long maxBytes, int maxConnections, Listener listener) {
        this.maxBytes = maxBytes;
        this.ownBytes = (int) Math.min(MAX_OWN_BYTES, maxBytes / 4 / maxConnections);
        this.commonBytes = maxBytes - (long) maxConnections * (2 * ownBytes + PROBE_BYTES);
        this.listener = listener;
    }

    public long maxBytes() {
        return maxBytes;
    }

    /** The number of bytes that belong to each connection alone: as many for input as for output. */
    int ownBytes() {
        return ownBytes;
    }

    /** The number of connections that are not read for want of memory. */
    public int waiting() {
        return waiting;
    }

    boolean hasFree() {
        return used.get() < commonBytes;
    }

    boolean isFullOfOutput() {
        return output.get() >= commonBytes;
    }

    void onPressure() {
        listener.onPressure();
    }

    // Bytes.

    /** Takes as many bytes as are left, at most {@code requested}. Returns the number. */
    int takeUpTo(int requested) {
        for (; ; ) {
            long before = used.get();
            int taken = (int) Math.min(requested, commonBytes - before);
            if (taken <= 0) {
                return 0;
            }
            if (used.compareAndSet(before, before + taken)) {
                return taken;
            }
        }
    }

    /** Takes bytes whatever is left. */
    void take(long bytes) {
        used.addAndGet(bytes);
    }

    void release(long bytes) {
        used.addAndGet(-bytes);
        // join() sets the length of the line before it reads what is left, so that one of the two serves the
        // connection.
        if (waiting > 0) {
            serve();
        }
    }

    /**
     * Takes bytes for output.
     *
     * @return false if nothing is left, and so nothing is taken
     */
    boolean tryTakeForOutput(long bytes, boolean always) {
        long before;
        do {
            before = used.get();
            if (!always && before >= commonBytes) {
                return false;
            }
        } while (!used.compareAndSet(before, before + bytes));
        output.addAndGet(bytes);
        return true;
    }

    void releaseOutput(long bytes) {
        long after = output.addAndGet(-bytes);
        release(bytes);
        // Only the thread that crosses the bound notifies; all others would do so in vain.
        if (after < commonBytes && after + bytes >= commonBytes) {
            listener.onOutputReleased();
        }
    }

    // The line.

    /**
     * Puts a connection in line by how long it has waited. It is {@linkplain Share#call called} when its turn has come.
     */
    void join(Share share) {
        lock.lock();
        try {
            if (share.ticket == 0) {
                share.ticket = ++lastTicket;
            }
            waiters.put(share.ticket, share);
            waiting = waiters.size();
        } finally {
            lock.unlock();
        }
        listener.onPressure();
        // Bytes that came free before the connection was in line have served nothing.
        serve();
    }

    /** Takes a connection out of line, and ends its exemption. */
    void leave(Share share) {
        boolean wasExempt;
        lock.lock();
        try {
            waiters.remove(share.ticket, share);
            waiting = waiters.size();
            wasExempt = exempt == share;
            if (wasExempt) {
                exempt = null;
            }
        } finally {
            lock.unlock();
        }
        if (wasExempt) {
            serve();
        }
    }

    boolean isExempt(Share share) {
        return exempt == share;
    }

    /** Calls the connections that may read now. */
    public void serve() {
        List<Share> next = new ArrayList<>();
        boolean hasMore;
        lock.lock();
        try {
            long free = commonBytes - used.get();
            // Calls as many as can read at once. Some of them may find that their peers have sent no more, so others
            // are called soon.
            for (long grants = free > 0 ? 1 + free / READ_BYTES : 0; grants > 0 && !waiters.isEmpty(); grants--) {
                next.add(waiters.pollFirstEntry().getValue());
            }
            if (free <= 0 && exempt == null && !waiters.isEmpty()) {
                exempt = waiters.pollFirstEntry().getValue();
                next.add(exempt);
            }
            waiting = waiters.size();
            hasMore = free > 0 && waiting > 0;
        } finally {
            lock.unlock();
        }
        // A turn runs code of its connection, so the lock is released by now.
        next.forEach(Share::call);
        if (hasMore) {
            listener.scheduleServe();
        }
    }
}
