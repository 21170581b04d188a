package io.taskmaster.bench.workload;

import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.store.RawStore;
import io.taskmaster.bench.target.Target;
import java.util.Map;
import java.util.function.Consumer;

/** What makes a row, or some: sealed by what it has to be run against, so that whoever runs it must provide just that. Immutable. */
public sealed interface Workload {

    /** The name of its row: unique, stable, made for scripts. One of several rows gives them this as the first word. */
    String row();

    /** Runs against a TaskMaster server, whoever started it. */
    non-sealed interface OnServer extends Workload {

        /** Runs it and cleans up what it enqueued. Blocks. */
        Row run(Scene scene, Target server) throws InterruptedException;
    }

    /** Runs against a TaskMaster server, whoever started it, and makes several rows out of what it enqueued once. */
    non-sealed interface SeriesOnServer extends Workload {

        /** Runs it, hands on each row as it is done, and cleans up what it enqueued. Blocks. */
        void run(Scene scene, Target server, Consumer<Row> outcome) throws InterruptedException;
    }

    /** Needs a server with settings of its own, and makes several rows there. */
    non-sealed interface SeriesOnTunedServer extends Workload {

        /** What the server is started with, by key. */
        Map<String, String> settings();

        /** Runs it and hands on each row as it is done; nobody uses the server afterwards. Blocks. */
        void run(Scene scene, Target server, Consumer<Row> outcome) throws InterruptedException;
    }

    /** Takes the server down and up again, so it must be one of our own. */
    non-sealed interface OnOwnServer extends Workload {

        /** Runs it; the server serves again afterwards. Blocks. */
        Row run(Scene scene, Target.Restartable server) throws InterruptedException;
    }

    /** Runs against the echo service: a limit of the RPC stack. */
    non-sealed interface OnEcho extends Workload {

        /** Runs it. Blocks. */
        Row run(Scene scene, Target echo) throws InterruptedException;
    }

    /** Runs against the store itself, from this process: a limit of the server. */
    non-sealed interface OnStore extends Workload {

        /** Runs it on a store that is empty. Blocks. */
        Row run(Scene scene, RawStore store) throws InterruptedException;
    }
}
