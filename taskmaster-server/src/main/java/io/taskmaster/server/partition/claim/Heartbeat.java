package io.taskmaster.server.partition.claim;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.calls.TimedExecutor;
import io.taskmaster.server.partition.log.ownership.CompareAndSetCell;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The renewal of a cell that one process holds, by changing it at every beat. While the store does not answer, the beat
 * is retried without a limit: the cell is lost only when it holds another's record. Thread-safe: all work is done on
 * the executor.
 *
 * <pre>{@code
 * state  | event                        | next state | effect
 * -------+------------------------------+------------+--------------------------------------------------
 * held   | beat stored                  | held       | next beat after the interval
 * held   | beat failed                  | silent     | warning; the same beat is retried after the interval
 * silent | beat stored                  | held       | logged
 * silent | beat failed                  | silent     | retried after the interval
 * held,  | the cell holds another's     | ended      | lost() completes
 * silent |                              |            |
 * held,  | end()                        | ended      | the last record is stored, once a beat in flight is over
 * silent |                              |            |
 * any    | abandon()                    | ended      | nothing is stored
 * }</pre>
 *
 * @param <R> the record in the cell
 */
public final class Heartbeat<R> {

    private static final Logger log = LoggerFactory.getLogger(Heartbeat.class);

    private final String name;
    private final CompareAndSetCell cell;
    private final TimedExecutor executor;
    private final long beatMillis;
    private final Function<R, Bytes> encode;
    private final UnaryOperator<R> next;
    private final CompletableFuture<Throwable> lost = new CompletableFuture<>();

    /** The record as last stored. Written by the executor. */
    private volatile R record;

    /**
     * The record last sent. Until its outcome is known no other is sent, so that the value read back is one of these
     * two. This field and all below are owned by the executor.
     */
    private R sent;

    private CompletableFuture<Void> lastBeat = CompletableFuture.completedFuture(null);
    private boolean renewalFailing;
    private boolean ended;

    /** The number of beats begun, which tells the newest timer from older ones. */
    private long beats;

    /**
     * Creates a heartbeat, which does not beat yet.
     *
     * @param name the name of the cell in messages
     * @param beatMillis the interval between beats
     * @param next makes the record of the next beat, which no record before it may equal
     * @param record the record as stored
     */
    public Heartbeat(
            String name,
            CompareAndSetCell cell,
            TimedExecutor executor,
            long beatMillis,
            Function<R, Bytes> encode,
            UnaryOperator<R> next,
            R record) {
        this.name = name;
        this.cell = cell;
        this.executor = executor;
        this.beatMillis = beatMillis;
        this.encode = encode;
        this.next = next;
        this.record = record;
        this.sent = record;
    }

    /** Begins to beat, after an interval. */
    public void start() {
        executor.execute(this::scheduleBeat);
    }

    /** Beats at once, or as soon as the beat in flight is over. */
    public void beatNow() {
        executor.execute(() -> {
            var _ = lastBeat.thenRun(this::beat);
        });
    }

    /** Returns the record as last stored. */
    public R record() {
        return record;
    }

    /** Returns a future that completes, with the reason, once the cell holds another's record. */
    public CompletableFuture<Throwable> lost() {
        return lost.copy();
    }

    /** Ends the beats with a last record. Complete when the store has recorded it, or when that has failed. */
    public CompletableFuture<Void> end(UnaryOperator<R> last) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        executor.execute(() -> {
            boolean held = !ended;
            ended = true;
            var _ = lastBeat.thenCompose(_ -> held
                            ? cell.replace(encode.apply(last.apply(record)))
                            : CompletableFuture.completedFuture(null))
                    .whenComplete((_, _) -> done.complete(null));
        });
        return done;
    }

    /** Ends the beats as a crash would, without a write to the store. */
    public void abandon() {
        executor.execute(() -> ended = true);
    }

    private void scheduleBeat() {
        long last = beats;
        executor.schedule(beatMillis, () -> {
            if (beats == last) {
                beat();
            }
        });
    }

    private void beat() {
        if (ended || !lastBeat.isDone()) {
            return;
        }
        beats++;
        if (sent.equals(record)) {
            sent = next.apply(record);
        }
        lastBeat = cell.replace(encode.apply(sent)).handle((_, failure) -> {
            if (failure == null) {
                record = sent;
                onRenewed();
            } else {
                onFailure(StoreCalls.unwrap(failure));
            }
            if (!ended) {
                scheduleBeat();
            }
            return null;
        });
    }

    private void onRenewed() {
        if (renewalFailing) {
            renewalFailing = false;
            log.info("renewing {} again", name);
        }
    }

    private void onFailure(Throwable failure) {
        if (failure instanceof DeposedException) {
            ended = true;
            lost.complete(failure);
        } else if (!renewalFailing) {
            renewalFailing = true;
            log.warn("could not renew {}; retrying: {}", name, failure.getMessage());
        }
    }
}
