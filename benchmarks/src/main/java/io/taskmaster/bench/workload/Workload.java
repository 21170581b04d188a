package io.taskmaster.bench.workload;

import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.store.RawStore;
import io.taskmaster.bench.target.Target;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A measurement that produces one row or several. The subtypes are sealed by the target that they need, so that a
 * runner has to provide exactly that. Immutable.
 */
public sealed interface Workload {

    /**
     * The name of its row: unique, stable and easy to use in scripts. A workload with several rows begins each name
     * with this word.
     */
    String row();

    /** A workload that runs against any TaskMaster server. */
    non-sealed interface OnServer extends Workload {

        /** Runs the workload and deletes what it enqueued. Blocks. */
        Row run(Scene scene, Target server) throws InterruptedException;
    }

    /** A workload that runs against any TaskMaster server and measures several rows on tasks enqueued once. */
    non-sealed interface SeriesOnServer extends Workload {

        /** Runs the workload, passes on each row as it completes, and deletes what it enqueued. Blocks. */
        void run(Scene scene, Target server, Consumer<Row> outcome) throws InterruptedException;
    }

    /** A workload that needs a server with special settings, and measures several rows on it. */
    non-sealed interface SeriesOnTunedServer extends Workload {

        /** The settings of the server, by key. */
        Map<String, String> settings();

        /** Runs the workload and passes on each row as it completes. The server is not used afterwards. Blocks. */
        void run(Scene scene, Target server, Consumer<Row> outcome) throws InterruptedException;
    }

    /** A workload that stops and restarts the server, so the server must be a child of this run. */
    non-sealed interface OnOwnServer extends Workload {

        /** Runs the workload; the server serves again afterwards. Blocks. */
        Row run(Scene scene, Target.Restartable server) throws InterruptedException;
    }

    /** A workload that runs against the echo service: a limit set by the RPC stack. */
    non-sealed interface OnEcho extends Workload {

        /** Runs the workload. Blocks. */
        Row run(Scene scene, Target echo) throws InterruptedException;
    }

    /** A workload that runs against the store itself, in this process: a limit of the server. */
    non-sealed interface OnStore extends Workload {

        /** Runs the workload on an empty store. Blocks. */
        Row run(Scene scene, RawStore store) throws InterruptedException;
    }
}
