package io.taskmaster.examples.demo;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.model.GroupName;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A demo, as its run sees it. Calls with a client are repeated if the server was away meanwhile, so they must be
 * idempotent. Single-threaded: owned by its run.
 */
public interface Demo extends AutoCloseable {

    /** The name of the demo, one word. */
    String name();

    /** The message at its beginning. */
    String opening();

    /** The consistency group of all its tasks. */
    GroupName group();

    /** Deletes the data that it has created outside of TaskMaster. */
    void forget() throws IOException;

    /** Enqueues the first tasks. Returns false if they were queued already. */
    boolean begin(BlockingClient client) throws IOException;

    /** Returns the worker processes: the arguments of the demo command, by the name of the process. */
    Map<String, List<String>> workers(String server);

    /** Returns its progress at one moment. */
    Look look(BlockingClient client) throws IOException;

    /** Returns the place of its results, for people. */
    String result();

    /** Returns the lines of its summary; the last one is for scripts. */
    List<String> sum(BlockingClient client, Duration took) throws IOException;

    /**
     * Returns a command that shows a result.
     *
     * @param again the command of the shell that runs the demo again
     */
    NextStep next(String again);

    /** Ends its parts in this process. */
    @Override
    void close() throws IOException;

    /**
     * The progress of a demo.
     *
     * @param line the progress for people
     */
    record Look(String line, boolean isOver) {}

    /** A factory of a demo, in a folder that exists. */
    interface Opener {

        Demo open() throws IOException;
    }
}
