package io.taskmaster.cli.tasks;

import com.google.gson.JsonObject;
import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.GroupScope;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.TransferProgress;
import io.taskmaster.client.Redrive;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.proxy.program.ExitStatus;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The command {@code taskmaster redrive}: moves tasks from dead-letter queues back to their queues. */
@Command(
        description = {
            "Moves dead letters from NAME.dead back to queue NAME.",
            "It covers the dead letters that exist when it starts, and can be stopped and run again. The exit status is"
                    + " 0 only if none of them is left."
        },
        footer = {"  taskmaster redrive crawl.dead", "  taskmaster redrive --match 'fetch/.*[.]dead' --group crawl"})
public final class RedriveCommand extends ClientCommand {

    @Mixin
    private final GroupScope queues = new GroupScope();

    public RedriveCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public int maxRetries() {
        return Integer.MAX_VALUE;
    }

    @Override
    public Optional<String> action() {
        return Optional.of("redrive");
    }

    @Override
    public ExitStatus run(TaskMasterClient client) {
        Redrive redrive;
        try {
            redrive = Redrive.of(client.blocking(), queues.selector(options()));
        } catch (IllegalArgumentException notDead) {
            return fail(String.valueOf(notDead.getMessage()));
        }
        try (TransferProgress transferProgress = TransferProgress.of(terminal(), "redrive", redrive.total())) {
            redrive.run(transferProgress::to);
        } finally {
            report(redrive);
        }
        return redrive.left() == 0 ? ExitStatus.OK : ExitStatus.FAILURE;
    }

    private void report(Redrive redrive) {
        if (options().json()) {
            var json = new JsonObject();
            json.addProperty("total", redrive.total());
            json.addProperty("redriven", redrive.redriven());
            json.addProperty("collapsed", redrive.collapsed());
            json.addProperty("left", redrive.left());
            println(json);
        } else {
            println("%d of %d redriven (%d of them queued again already), %d left"
                    .formatted(redrive.redriven(), redrive.total(), redrive.collapsed(), redrive.left()));
        }
    }
}
