package io.taskmaster.cli.queues;

import com.google.gson.JsonObject;
import io.taskmaster.cli.common.ByteText;
import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.QueueLines;
import io.taskmaster.cli.common.TaskLines;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.program.ExitStatus;
import java.util.Optional;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * A command that sets persistent options of a queue. The contract sets pause and cap together, so one that is not given
 * is read first; the two calls are not atomic. A weight that is not given stays unchanged.
 */
public abstract class OptionsCommand extends ClientCommand {

    /** The warning of lost updates, for the help of each of these commands. */
    static final String LOST_UPDATE = "Pause and --max-leased are set together. If only one is given, the other is read"
            + " first, and a change of it by another client in between is lost.";

    private static final int SAME_WEIGHT = 0;

    @Parameters(paramLabel = "QUEUE", description = "Name of the queue.")
    private QueueName queue = QueueName.EMPTY;

    @Option(
            names = "--max-leased",
            paramLabel = "N",
            description = "Maximum number of leased tasks; 0: no maximum (default: unchanged).")
    private Optional<Integer> maxLeased = Optional.empty();

    @Option(
            names = "--weight",
            paramLabel = "N",
            description = "Tasks per turn, 1 to 1000, where a lease visits several queues (default: unchanged).")
    private Optional<Integer> weight = Optional.empty();

    OptionsCommand(Terminal terminal) {
        super(terminal);
    }

    /** Returns whether the queue is to be paused; absent: unchanged. */
    abstract Optional<Boolean> paused();

    /** Returns whether any option with a number is given. */
    final boolean setsNumber() {
        return maxLeased.isPresent() || weight.isPresent();
    }

    /** Refuses combinations of options that make no sense. */
    void check() {}

    @Override
    public final ExitStatus run(TaskMasterClient client) {
        check();
        var key = new QueueKey(options().group(), queue);
        QueueOptions before = paused().isPresent() && maxLeased.isPresent() ? QueueOptions.DEFAULT : read(client, key);
        QueueOptions set = client.blocking()
                .configure(
                        key,
                        new QueueOptions(
                                paused().orElse(before.paused()),
                                Math.max(0, maxLeased.orElse(before.maxLeased())),
                                weight.orElse(SAME_WEIGHT)));
        print(key, set);
        return ExitStatus.OK;
    }

    /** Returns the options of a queue. A queue that is not in the reply has the defaults. */
    private static QueueOptions read(TaskMasterClient client, QueueKey key) {
        return client.blocking().describe(DescribeRequest.of(QueueSelector.of(key))).queues().stream()
                .filter(shown -> shown.summary().queue().equals(key))
                .map(QueueDescription::options)
                .findFirst()
                .orElse(QueueOptions.DEFAULT);
    }

    private void print(QueueKey key, QueueOptions set) {
        if (options().json()) {
            var json = new JsonObject();
            TaskLines.add(json, "group", key.group());
            TaskLines.add(json, "queue", key.name());
            QueueLines.add(json, set);
            println(json);
        } else {
            println("OK\t" + ByteText.line(key.name()) + "\t" + (set.paused() ? "paused" : "running") + "\t"
                    + set.maxLeased() + (set.weight() == SAME_WEIGHT ? "" : "\t" + set.weight()));
        }
    }
}
