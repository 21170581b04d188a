package io.taskmaster.examples.quickstart;

import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.GroupName;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.worker.Worker;
import java.util.function.Consumer;

/** A pipeline of two stages: the first makes a greeting of each name, the second prints it. */
public final class Quickstart {

    private static final GroupName GROUP = GroupName.of("quickstart");
    private static final TaskQueue<String> NAMES = TaskQueue.of("names", Codec.utf8());
    private static final TaskQueue<String> GREETINGS = TaskQueue.of("greetings", Codec.utf8());

    private Quickstart() {}

    public static void main(String[] args) throws InterruptedException {
        run(args.length > 0 ? args[0] : "127.0.0.1:7400", System.out::println);
    }

    @SuppressWarnings("try") // The worker runs as long as its block does.
    static void run(String server, Consumer<String> printer) throws InterruptedException {
        Pipeline pipeline = Pipeline.in(GROUP)
                .stage(NAMES, stage -> stage.handler(Quickstart::greet).to(GREETINGS))
                .stage(GREETINGS, stage -> stage.handler(task -> print(task, printer)))
                .build();
        try (TaskMasterClient client = TaskMasterClient.connect(server);
                Worker worker = Worker.start(pipeline, client)) {
            // Each task has a PID, its name and its place in the queue. All three are enqueued, or none.
            client.blocking()
                    .update(pipeline.update(
                            NAMES.task("Ada").at("1"),
                            NAMES.task("Edsger").at("2"),
                            NAMES.task("Grace").at("3")));
            // A hand-off is one update, so no task is ever between two queues.
            while (hasTasks(client)) {
                Thread.sleep(100);
            }
        }
    }

    private static Outcome greet(Task<String> name) {
        return Outcome.handOff(GREETINGS.task("Hello, " + name.payload() + "!"));
    }

    private static Outcome print(Task<String> greeting, Consumer<String> printer) {
        printer.accept(greeting.payload());
        return Outcome.done();
    }

    private static boolean hasTasks(TaskMasterClient client) {
        ListRequest all = ListRequest.of(QueueSelector.allIn(GROUP));
        return !client.blocking().list(all).queues().isEmpty();
    }
}
