package io.taskmaster.cli.archive;

import com.google.gson.JsonObject;
import io.taskmaster.archive.ArchiveWriter;
import io.taskmaster.cli.common.ClientCommand;
import io.taskmaster.cli.common.GroupScope;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.TransferProgress;
import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.proxy.program.ExitStatus;
import java.io.FileDescriptor;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code taskmaster export}: writes queues with their tasks into an archive. */
@Command(
        description = {
            "Writes queues and their tasks to a file, for taskmaster import.",
            "Without names and pattern, it exports all queues of the group."
        },
        footer = {
            "  taskmaster export crawl -o crawl.tma",
            "  taskmaster export --all-groups -o backup.tma",
            "  taskmaster export --match 'mail/.*' -o - | taskmaster import - --server other"
        })
public final class ExportCommand extends ClientCommand {

    private static final String STANDARD_OUTPUT = "-";

    @Mixin
    private final GroupScope queues = new GroupScope();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            required = true,
            description = "File to write; - is standard output. The file gets its name when it is complete.")
    private String output = "";

    @Option(names = "--force", description = "Replace an existing file.")
    private boolean force;

    public ExportCommand(Terminal terminal) {
        super(terminal);
    }

    /** Retries without end while the server is overloaded: half a backup is of no use. */
    @Override
    public int maxRetries() {
        return Integer.MAX_VALUE;
    }

    @Override
    public ExitStatus run(TaskMasterClient client) throws InterruptedException {
        try {
            if (output.equals(STANDARD_OUTPUT)) {
                try (var archive = new ArchiveWriter(new FileOutputStream(FileDescriptor.out))) {
                    export(client, archive);
                    report(archive, terminal().err());
                }
            } else {
                try (var file = new AtomicFile(Path.of(output), force);
                        var archive = new ArchiveWriter(file.out())) {
                    export(client, archive);
                    file.commit();
                    report(archive, terminal().out());
                }
            }
            return ExitStatus.OK;
        } catch (FileAlreadyExistsException _) {
            return fail(output + ": exists already (expected: a new file, or --force)");
        } catch (FileNotFoundException e) {
            return fail(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return fail(output + ": " + e.getMessage());
        }
    }

    private void export(TaskMasterClient client, ArchiveWriter archive) throws IOException, InterruptedException {
        QueueSelector selected = queues.selector(options());
        long total = client.blocking()
                .describe(DescribeRequest.of(selected).maxQueues(1))
                .total()
                .summary()
                .total();
        try (TransferProgress transferProgress = TransferProgress.of(terminal(), "export", total)) {
            new Exporter(client, archive, transferProgress).export(selected);
        }
        archive.finish();
    }

    private void report(ArchiveWriter archive, PrintWriter out) {
        if (options().json()) {
            var json = new JsonObject();
            json.addProperty("queues", archive.queues());
            json.addProperty("tasks", archive.tasks());
            json.addProperty("bytes", archive.bytes());
            out.println(json);
        } else {
            out.println("%d tasks of %d queues exported, %d bytes"
                    .formatted(archive.tasks(), archive.queues(), archive.bytes()));
        }
    }
}
