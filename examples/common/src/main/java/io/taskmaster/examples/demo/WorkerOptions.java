package io.taskmaster.examples.demo;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.examples.demo.process.ParentProcess;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Option;

/**
 * The options that the worker processes of all demos have, and the life of such a process, which ends with the demo.
 */
public final class WorkerOptions {

    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration LAST_BATCH = Duration.ofSeconds(3);

    @Option(names = "--name", required = true)
    private String name = "";

    @Option(names = "--server", required = true)
    private String server = "";

    /** Returns the arguments with which the demo starts a worker. */
    public static List<String> of(String name, String server) {
        return List.of("--name=" + name, "--server=" + server);
    }

    /** Works until this process receives a signal to end, or its parent is gone. Returns the exit status. Blocks. */
    public int work(Function<TaskMasterClient, Pipeline> pipeline) {
        ParentProcess.exitWithIt();
        try (TaskMasterClient client = TaskMasterClient.builder(server)
                        .deadline(DEADLINE)
                        .worker(name)
                        .build();
                Worker worker = Worker.start(pipeline.apply(client), client)) {
            worker.untilShutdown(LAST_BATCH);
        }
        return 0;
    }
}
