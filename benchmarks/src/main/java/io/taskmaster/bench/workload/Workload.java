package io.taskmaster.bench.workload;

import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.target.Target;
import java.nio.file.Path;

/** What makes one row: sealed by what it has to be run against, so that whoever runs it must provide just that. Immutable. */
public sealed interface Workload {

    /** The name of its row: unique, stable, made for scripts. */
    String row();

    /** Runs against a TaskMaster server, whoever started it. */
    non-sealed interface OnServer extends Workload {

        /** Runs it and cleans up what it enqueued. Blocks. */
        Row run(Scene scene, Target server) throws InterruptedException;
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

    /** Runs against the disk, in this process: a limit of the store. */
    non-sealed interface OnDisk extends Workload {

        /** Runs it in an empty folder. Blocks. */
        Row run(Scene scene, Path folder) throws InterruptedException;
    }
}
