package io.taskmaster.examples.demo;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.model.GroupName;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One of the demos, as its run sees it. What it does with a client is done again if the server was away meanwhile, so it has to be harmless
 * twice. Single-threaded: owned by its run.
 */
public interface Demo extends AutoCloseable {

    /** What it is, in a word. */
    String name();

    /** What is said when it begins. */
    String opening();

    /** Where all its tasks are. */
    GroupName group();

    /** Deletes what it has made outside of TaskMaster. */
    void forget() throws IOException;

    /** Puts the first tasks in; false if they were there already. */
    boolean begin(BlockingClient client) throws IOException;

    /** The worker processes, by name: what they are started with, as arguments of the demo command. */
    Map<String, List<String>> workers(String server);

    /** How far it is, at one moment. */
    Look look(BlockingClient client) throws IOException;

    /** Where to see what came of it. */
    String result();

    /** What is said at the end; the last line is for scripts. */
    List<String> sum(BlockingClient client, Duration took) throws IOException;

    /** Ends what it has running in this process. */
    @Override
    void close() throws IOException;

    /**
     * How far a demo is.
     *
     * @param line for humans
     */
    record Look(String line, boolean isOver) {}

    /** Makes a demo ready, in a folder that is there. */
    interface Opener {

        Demo open() throws IOException;
    }
}
