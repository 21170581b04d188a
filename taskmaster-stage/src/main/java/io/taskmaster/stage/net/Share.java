package io.taskmaster.stage.net;

/**
 * What one connection holds of the {@link Budget} of its endpoint. What it has read is owned by the thread of the connection; what it is to send, and {@link #call}, by anybody.
 */
final class Share {

    private final Budget budget;
    private final Runnable turn;

    /** Since when it waits for what is common; 0: it does not. Guarded by the lock of the budget, once it is in the line. */
    long ticket;

    /** What was read, and what the read that is going on may bring. */
    private volatile long inputBytes;

    private volatile boolean isWaiting;

    /** Whether the last read found nothing left, so that there is more to read. */
    private boolean isStarved;

    private boolean hasTurn;
    private boolean ended;

    /** @param turn called by anybody when it is its turn to read: it then says {@link #begin} on its own thread */
    Share(Budget budget, Runnable turn) {
        this.budget = budget;
        this.turn = turn;
    }

    // Input.

    long inputBytes() {
        return inputBytes;
    }

    /** Whether what was read takes from what is common. */
    boolean isLarge() {
        return inputBytes > budget.ownBytes();
    }

    boolean isWaiting() {
        return isWaiting;
    }

    /** Whether it may be read. If not, there is nothing left for what its peer has sent: the turn is called when there is, and until then it must not be read. */
    boolean mayRead() {
        if (isWaiting) {
            return false;
        }
        boolean may = !isStarved || hasTurn || budget.isExempt(this) || (budget.isLeft() && budget.waiting() == 0);
        if (!may) {
            isWaiting = true;
            budget.join(this);
        }
        return may;
    }

    void call() {
        turn.run();
    }

    /** Its turn has come. */
    void begin() {
        isWaiting = false;
        hasTurn = !ended;
    }

    /** Takes bytes for a read that begins now; at least one, since the socket is readable. */
    int grant(int wanted) {
        if (ended) {
            return wanted;
        }
        long before = inputBytes;
        long left = budget.ownBytes() - before;
        int own = (int) Math.min(Math.max(0, left), wanted);
        int granted = own + fromCommon(wanted - own);
        hasTurn = false;
        isStarved = granted == 0;
        if (isStarved) {
            granted = Budget.PROBE_BYTES;
            budget.take(granted);
        }
        inputBytes = before + granted;
        return granted;
    }

    private int fromCommon(int wanted) {
        if (budget.isExempt(this)) {
            budget.take(wanted);
            return wanted;
        }
        int taken = hasTurn || budget.waiting() == 0 ? budget.takeUpTo(wanted) : 0;
        if (taken > 0) {
            // The next time, it comes after those that wait now.
            ticket = 0;
        }
        return taken;
    }

    /** So much of what was read is still here. */
    void inputIs(long bytes) {
        if (ended) {
            return;
        }
        long change = beyondOwn(bytes) - beyondOwn(inputBytes);
        inputBytes = bytes;
        if (change > 0) {
            budget.take(change);
        } else if (change < 0) {
            budget.giveBack(-change);
        }
    }

    /** The message that was read is out of here. */
    void messageTaken() {
        if (budget.isExempt(this)) {
            ticket = 0;
            budget.leave(this);
        }
    }

    /** Nothing is read any more, and what was read may still be here. */
    void readsNoMore() {
        if (isWaiting || budget.isExempt(this)) {
            isWaiting = false;
            budget.leave(this);
        }
    }

    /** Nothing is here any more that was read. */
    void end() {
        readsNoMore();
        inputIs(0);
        ended = true;
        hasTurn = false;
    }

    // Output.

    /**
     * What waits for the peer is about to grow.
     *
     * @param always whether it is taken even if nothing is left
     * @return false: nothing is left, and nothing is taken
     */
    boolean outputGrows(long before, long after, boolean always) {
        long more = beyondOwn(after) - beyondOwn(before);
        if (more == 0 || budget.takeForOutput(more, always)) {
            return true;
        }
        budget.pressed();
        return false;
    }

    /** What waits for the peer has become less. */
    void outputFell(long before, long after) {
        long less = beyondOwn(before) - beyondOwn(after);
        if (less > 0) {
            budget.giveBackOutput(less);
        }
    }

    /** Whether so much takes from what is common. */
    boolean isLarge(long output) {
        return output > budget.ownBytes();
    }

    /** Whether messages may be given to the sink, whose answers would have to wait here. */
    boolean mayAsk() {
        if (budget.isFullOfOutput()) {
            budget.pressed();
            return false;
        }
        return true;
    }

    private long beyondOwn(long bytes) {
        return Math.max(0, bytes - budget.ownBytes());
    }
}
