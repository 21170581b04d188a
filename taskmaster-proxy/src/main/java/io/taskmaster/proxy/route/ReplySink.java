package io.taskmaster.proxy.route;

import io.taskmaster.command.Reply;
import io.taskmaster.error.TaskMasterException;

/**
 * The receiver of an answer. Called on a partition's loop thread or off it, on the submitter's thread if refused at
 * once, or off the loops if the answers of all partitions were merged: must be short.
 */
public interface ReplySink {

    /** Receives the durable answer. */
    void reply(Reply reply);

    /** Receives the error; its code tells if the command may have taken effect. */
    void fail(TaskMasterException error);

    /**
     * Receives the answer that will follow if it becomes durable: commands that are submitted from here on are decided
     * after this one. Called on a partition's loop thread or off it, at most once, before the answer; for commands that
     * change something or lease.
     */
    default void decided(Reply reply) {}

    /**
     * Notifies that the command waits: a long poll.
     *
     * @param cancel ends the wait; may be called from any thread, at any time, any number of times
     */
    default void waits(Runnable cancel) {}

    /** Returns true if the command yields to interactive work. */
    default boolean isBulk() {
        return false;
    }

    /** Returns the name of the caller for round-robin between callers: equal for all commands of one caller. */
    default String caller() {
        return "";
    }

    /** Returns true once the caller is gone: its long poll then ends. Called now and then, from any thread. */
    default boolean isCancelled() {
        return false;
    }
}
