package io.taskmaster.stage.net.memory;

/**
 * The part of the {@link Budget} of an endpoint that one connection holds. Input is owned by the thread of the
 * connection; output and {@link #call} are thread-safe.
 *
 * <pre>{@code
 * state   | event                               | next state | effect
 * READING | a read, with bytes left             | READING    | they are granted
 * READING | a read, with nothing left           | STARVED    | one byte is granted
 * STARVED | mayRead: bytes left, empty line     | STARVED    | it is read
 * STARVED | mayRead otherwise                   | WAITING    | it joins the line, and is not read
 * WAITING | its turn has come                   | TURN       | it may be read once
 * TURN    | a read, with bytes left             | READING    | if they are common ones, it loses its ticket
 * TURN    | a read, with nothing left           | STARVED    | it keeps its ticket, and so its place in line
 * WAITING | it is first, and nothing is left    | EXEMPT     | it is read whatever is left
 * EXEMPT  | the sink has taken its message      | READING    | it loses its ticket
 * any     | end                                 | ENDED      | its input bytes are returned
 * }</pre>
 */
public final class Share {

    private final Budget budget;
    private final Runnable onGranted;

    /**
     * The rank in the line: the lower, the longer it has waited; 0: it has none. Guarded by the lock of the budget
     * while it is in line.
     */
    long ticket;

    /** The bytes that were read, and those that a read in progress may bring. */
    private volatile long inputBytes;

    private volatile boolean isWaiting;

    /** True if the last read found nothing left, so that there is more to read. */
    private boolean isStarved;

    private boolean isGranted;
    private boolean ended;

    /**
     * @param onGranted called on any thread when its turn to read has come; it then calls {@link #begin} on its own
     *     thread
     */
    public Share(Budget budget, Runnable onGranted) {
        this.budget = budget;
        this.onGranted = onGranted;
    }

    // Input.

    public long inputBytes() {
        return inputBytes;
    }

    /** Returns whether input takes common bytes. */
    public boolean isLarge() {
        return inputBytes > budget.ownBytes();
    }

    public boolean isWaiting() {
        return isWaiting;
    }

    /**
     * Returns whether the connection may be read. If not, nothing is left for what its peer has sent: it is in line,
     * and must not be read until it is called.
     */
    public boolean mayRead() {
        if (isWaiting) {
            return false;
        }
        boolean may = !isStarved || isGranted || budget.isExempt(this) || (budget.hasFree() && budget.waiting() == 0);
        if (!may) {
            // It is set first, since join() may call this connection at once, and its turn clears it.
            isWaiting = true;
            budget.join(this);
        }
        return may;
    }

    void call() {
        onGranted.run();
    }

    /** Begins the turn for which it has waited. */
    public void begin() {
        isWaiting = false;
        isGranted = !ended;
    }

    /** Takes bytes for a read that begins now: one at least, since the socket is readable. Returns the number. */
    int grant(int requested) {
        if (ended) {
            return requested;
        }
        long before = inputBytes;
        long ownFree = budget.ownBytes() - before;
        int own = (int) Math.min(Math.max(0, ownFree), requested);
        int granted = own + fromCommon(requested - own);
        // A turn is one read, whatever that brings.
        isGranted = false;
        isStarved = granted == 0;
        if (isStarved) {
            granted = Budget.PROBE_BYTES;
            budget.take(granted);
        }
        inputBytes = before + granted;
        return granted;
    }

    private int fromCommon(int requested) {
        if (budget.isExempt(this)) {
            budget.take(requested);
            return requested;
        }
        int fromBudget = isGranted || budget.waiting() == 0 ? budget.takeUpTo(requested) : 0;
        if (fromBudget > 0) {
            // The next time, it goes behind those that wait now.
            ticket = 0;
        }
        return fromBudget;
    }

    /** Sets the number of input bytes that are still held. */
    public void setInput(long bytes) {
        if (ended) {
            return;
        }
        long change = beyondOwn(bytes) - beyondOwn(inputBytes);
        inputBytes = bytes;
        if (change > 0) {
            budget.take(change);
        } else if (change < 0) {
            budget.release(-change);
        }
    }

    /** Ends its exemption, since the sink has taken the message. */
    public void onMessageTaken() {
        if (budget.isExempt(this)) {
            ticket = 0;
            budget.leave(this);
        }
    }

    /** Ends reading; input may still be held. */
    public void stopReading() {
        if (isWaiting || budget.isExempt(this)) {
            isWaiting = false;
            budget.leave(this);
        }
    }

    /** Returns all input bytes. */
    public void end() {
        stopReading();
        // The bytes are returned before the flag is set, after which setInput() has no effect.
        setInput(0);
        ended = true;
        isGranted = false;
    }

    // Output.

    /**
     * Takes bytes for output that is about to grow.
     *
     * @param always whether it may grow even if nothing is left
     * @return false if nothing is left, and so nothing is taken
     */
    public boolean tryGrowOutput(long before, long after, boolean always) {
        long more = beyondOwn(after) - beyondOwn(before);
        if (more == 0 || budget.tryTakeForOutput(more, always)) {
            return true;
        }
        budget.onPressure();
        return false;
    }

    /** Returns bytes of output that has become less. */
    public void onOutputReleased(long before, long after) {
        long less = beyondOwn(before) - beyondOwn(after);
        if (less > 0) {
            budget.releaseOutput(less);
        }
    }

    /** Returns whether this much output takes common bytes. */
    public boolean isLarge(long output) {
        return output > budget.ownBytes();
    }

    /** Returns whether messages may be given to the sink, whose answers would have to wait here. */
    public boolean mayOffer() {
        if (budget.isFullOfOutput()) {
            budget.onPressure();
            return false;
        }
        return true;
    }

    private long beyondOwn(long bytes) {
        return Math.max(0, bytes - budget.ownBytes());
    }
}
