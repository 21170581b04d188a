package io.taskmaster.server.cluster;

import io.taskmaster.placement.ClusterMember.State;
import io.taskmaster.server.partition.calls.TimedExecutor;
import io.taskmaster.server.partition.claim.Heartbeat;
import io.taskmaster.server.partition.log.ownership.CompareAndSetCell;
import java.util.concurrent.CompletableFuture;

/**
 * The membership of this process in the cluster: its cell, renewed by a {@link Heartbeat}. Thread-safe: all work is
 * done on the executor.
 *
 * <pre>{@code
 * state    | event                        | next       | effect
 * ---------+------------------------------+------------+-----------------------------------------------------
 * JOINING  | serve()                      | SERVING    | stored with a beat at once
 * JOINING, | leave()                      | LEAVING    | stored with a beat at once
 * SERVING  |                              |            |
 * LEAVING  | serve()                      | LEAVING    | none
 * any      | stop()                       | STOPPED    | stored once a beat in flight is over; no more beats
 * any      | the cell holds another's     | superseded | superseded() completes; no more beats
 * any      | abandon()                    | (silent)   | nothing is stored; no more beats
 * }</pre>
 */
public final class Membership {

    private final TimedExecutor executor;
    private final Heartbeat<MemberRecord> heartbeat;

    /** The state that the next beat stores; owned by the executor. */
    private State wanted = State.JOINING;

    Membership(CompareAndSetCell cell, TimedExecutor executor, long beatMillis, MemberRecord first) {
        this.executor = executor;
        this.heartbeat = new Heartbeat<>(
                "the membership in the cluster",
                cell,
                executor,
                beatMillis,
                MemberCodec::encode,
                last -> last.next(wanted),
                first);
        heartbeat.start();
    }

    /** Returns the record as last stored. */
    public MemberRecord record() {
        return heartbeat.record();
    }

    /**
     * Returns a future that completes, with the reason, once another process has this node's cell. This one owns
     * nothing any more.
     */
    public CompletableFuture<Throwable> superseded() {
        return heartbeat.lost();
    }

    /** Announces that the node is ready for partitions. */
    public void serve() {
        become(State.SERVING);
    }

    /** Announces that the node is about to end, so that its partitions are moved away. */
    public void leave() {
        become(State.LEAVING);
    }

    /** Announces that the node has ended. Complete when the store has recorded it, or when that has failed. */
    public CompletableFuture<Void> stop() {
        return heartbeat.end(last -> last.next(State.STOPPED));
    }

    /** Falls silent as a crash would, without a write to the store. */
    public void abandon() {
        heartbeat.abandon();
    }

    private void become(State state) {
        executor.execute(() -> {
            if (state.compareTo(wanted) > 0) {
                wanted = state;
                heartbeat.beatNow();
            }
        });
    }
}
