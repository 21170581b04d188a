package io.taskmaster.server.partition.commit;

import io.taskmaster.command.Reply;

/**
 * The way of a request through a partition, as its stations see it: what follows for a request that was admitted, whose
 * needs were met, or that has to end. Single-threaded: owned by the partition's loop.
 */
public interface RequestFlow {

    /** Decides a request: it is admitted, or all its needs are met. */
    void decide(Request request);

    /** Answers a request that changes nothing. */
    void replyToRead(Request request, Reply reply);

    /** Releases what a request holds: its answer follows. */
    void forget(Request request);

    /** Answers a request with what it has so far: nothing more is found. */
    void finishEarly(Request request);

    /** Moves delayed tasks that are due. Returns false if some are left for later. */
    boolean activate();

    /** Returns true if a large request is about to leave the loop: no write may be admitted before it. */
    boolean isOffloading();
}
