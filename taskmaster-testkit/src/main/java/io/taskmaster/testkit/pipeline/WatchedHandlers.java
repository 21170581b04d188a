package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.model.QueueKey;
import io.taskmaster.stage.BatchHandler.Finish;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;
import io.taskmaster.testkit.pipeline.fault.AttemptFault;
import io.taskmaster.testkit.pipeline.fault.PipelineFaults;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The handlers of one life of a worker process, wrapped to inject the faults of the script and to record every attempt.
 * Single-threaded: owned by the test.
 */
final class WatchedHandlers {

    private final KitJournal kitJournal;
    private final PipelineFaults script;
    private final TaskMasterClient operator;
    private final String worker;
    private final Consumer<String> crash;

    /** @param operator a client whose calls take no time */
    WatchedHandlers(KitEnvironment kitEnvironment, TaskMasterClient operator, String worker, Consumer<String> crash) {
        this.kitJournal = kitEnvironment.kitJournal();
        this.script = kitEnvironment.script();
        this.operator = operator;
        this.worker = worker;
        this.crash = crash;
    }

    /** Returns the same pipeline with its handlers wrapped. */
    Pipeline watched(Pipeline pipeline) {
        List<Stage<?>> stages = new ArrayList<>();
        pipeline.stages().forEach(stage -> stages.add(watched(stage)));
        return new Pipeline(pipeline.group(), stages, pipeline.sinks());
    }

    private <T> Stage<T> watched(Stage<T> stage) {
        return new Stage<>(
                stage.input(),
                (tasks, finish) -> handle(stage, tasks, finish),
                stage.finishesLater(),
                stage.outputs(),
                stage.into(),
                stage.settings());
    }

    private <T> void handle(Stage<T> stage, List<Task<T>> tasks, Finish<T> finish) throws Exception {
        List<Task<T>> remaining = new ArrayList<>();
        for (Task<T> task : tasks) {
            kitJournal.attempt(worker, task);
            Optional<AttemptFault> fault = script.attempt(stage.input());
            fault.ifPresent(met -> kitJournal.incident(worker, "fault injected in this attempt: " + met));
            switch (fault.orElse(null)) {
                case null -> remaining.add(task);
                case AttemptFault.LoseLease() -> {
                    loseLease(task);
                    remaining.add(task);
                }
                case AttemptFault.Fail(String reason) -> finish.with(task, Outcome.retry(reason));
                case AttemptFault.Crash() -> {
                    // The handler gets none of the tasks before this one either: they are of the same call, which dies.
                    crash.accept("crashes in this attempt");
                    return;
                }
            }
        }
        if (!remaining.isEmpty()) {
            stage.handler().handle(remaining, finish);
        }
    }

    /** Releases the task by force. The call takes no time, so it precedes any call that the handler makes. */
    private void loseLease(Task<?> task) {
        QueueKey queue = task.lease().queue();
        CompletableFuture<?> _ = operator.update(Update.in(queue.group())
                .release(queue.name(), task.pid(), Update.UNCONDITIONAL)
                .build());
    }
}
