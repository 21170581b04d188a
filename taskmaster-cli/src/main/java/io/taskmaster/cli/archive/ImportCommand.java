package io.taskmaster.cli.archive;

import com.google.gson.JsonObject;
import io.taskmaster.archive.ArchiveReader;
import io.taskmaster.cli.common.ByteText;
import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.TransferProgress;
import io.taskmaster.cli.common.UpdatesInFlight.Refused;
import io.taskmaster.cli.common.UrgencyOption;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.program.ExitStatus;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code taskmaster import}: enqueues the tasks of an archive. */
@Command(
        description = {
            "Enqueues the contents of an exported file, into the groups and queues it came from.",
            "It can be stopped and run again: by default, existing tasks are kept."
        },
        footer = {
            "  taskmaster import crawl.tma --dry-run",
            "  taskmaster import crawl.tma --server other --service-class bulk",
            "  taskmaster import crawl.tma --rename crawl=crawl-restored --no-options"
        })
public final class ImportCommand extends ClientCommand {

    private static final String STANDARD_INPUT = "-";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "Exported file; - is standard input.")
    private String file = "";

    @Option(
            names = "--if-exists",
            paramLabel = "WHAT",
            defaultValue = "collapse",
            description =
                    "If a task with the PID exists: collapse, replace, rerun or fail (default: ${DEFAULT-VALUE}).")
    private IfExists ifExists = IfExists.COLLAPSE;

    @Option(names = "--rename", paramLabel = "OLD=NEW", description = "Import queue OLD into queue NEW; repeatable.")
    private Map<QueueName, QueueName> names = new LinkedHashMap<>();

    @Option(names = "--no-options", description = "Do not set the options of queues: pause, cap and weight.")
    private boolean noOptions;

    @Option(names = "--dry-run", description = "Verify the whole file and print its contents; needs no server.")
    private boolean dryRun;

    @Mixin
    private final UrgencyOption urgency = new UrgencyOption();

    public ImportCommand(Terminal terminal) {
        super(terminal);
    }

    /**
     * Retries without end while the server is overloaded: an import that stops half way is more trouble than one that
     * waits.
     */
    @Override
    public int maxRetries() {
        return Integer.MAX_VALUE;
    }

    @Override
    public Optional<String> action() {
        return Optional.of("import");
    }

    @Override
    public ExitStatus run(TaskMasterClient client) throws InterruptedException {
        if (options().hasGroup()) {
            throw new ParameterException(spec.commandLine(), "--group: the file names the groups (expected: none)");
        }
        try (InputStream in = file.equals(STANDARD_INPUT) ? terminal().in() : new FileInputStream(file);
                var archive = new ArchiveReader(in)) {
            return dryRun ? show(archive, in) : enqueue(client, archive, in);
        } catch (FileNotFoundException e) {
            return fail(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return fail(file + ": " + e.getMessage());
        }
    }

    private ExitStatus show(ArchiveReader archive, InputStream in) throws IOException {
        ArchiveContents contents;
        try (TransferProgress transferProgress = TransferProgress.ofInput(terminal(), "verify", in)) {
            contents = ArchiveContents.of(archive, transferProgress);
        }
        if (options().json()) {
            contents.queues().forEach(queue -> println(ArchiveContents.json(queue)));
        } else {
            terminal().out().print(contents.textTable());
        }
        return ExitStatus.OK;
    }

    private ExitStatus enqueue(TaskMasterClient client, ArchiveReader archive, InputStream in)
            throws IOException, InterruptedException {
        TransferProgress transferProgress = TransferProgress.ofInput(terminal(), "import", in);
        var importer = new Importer(
                client, new Importer.Settings(ifExists, !noOptions, names, urgency.serviceClass()), transferProgress);
        try (transferProgress) {
            importer.run(archive);
            return ExitStatus.OK;
        } catch (Refused e) {
            explain(importer);
            return fail(String.valueOf(e.getMessage()));
        } catch (IOException | TaskMasterException e) {
            explain(importer);
            throw e;
        } finally {
            report(importer, archive);
        }
    }

    /** Prints the position that the import reached, so that a user can continue from there. */
    private void explain(Importer importer) {
        terminal()
                .err()
                .println(importer.last()
                        .map(queue -> "taskmaster: stopped after %d tasks of queue %s; all queues before it are whole"
                                .formatted(
                                        importer.ofLast(),
                                        ByteText.line(queue.name())
                                                + (queue.group().isEmpty()
                                                        ? ""
                                                        : " of group " + ByteText.line(queue.group()))))
                        .orElse("taskmaster: stopped before the first task"));
    }

    private void report(Importer importer, ArchiveReader archive) {
        if (options().json()) {
            var json = new JsonObject();
            json.addProperty("queues", archive.queues());
            json.addProperty("enqueued", importer.enqueued());
            json.addProperty("collapsed", importer.collapsed());
            println(json);
        } else {
            println("%d enqueued, %d collapsed, of %d queues"
                    .formatted(importer.enqueued(), importer.collapsed(), archive.queues()));
        }
    }
}
