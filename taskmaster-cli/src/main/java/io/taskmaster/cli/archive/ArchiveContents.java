package io.taskmaster.cli.archive;

import com.google.gson.JsonObject;
import io.taskmaster.archive.ArchiveEntry;
import io.taskmaster.archive.ArchiveReader;
import io.taskmaster.cli.common.ByteText;
import io.taskmaster.cli.common.QueueLines;
import io.taskmaster.cli.common.TaskLines;
import io.taskmaster.cli.common.TextTable;
import io.taskmaster.cli.common.TransferProgress;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.model.QueueKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The contents of an archive, queue by queue. Immutable. */
record ArchiveContents(List<Queue> queues) {

    /** The number of tasks between two updates of the progress. */
    private static final int STEP = 1000;

    ArchiveContents {
        queues = List.copyOf(queues);
    }

    /**
     * A queue of the archive, and sums over its tasks. Immutable.
     *
     * @param delayed the number of delayed tasks among them
     */
    record Queue(QueueKey key, QueueOptions options, long tasks, long delayed, long dataBytes) {

        private Queue with(ArchiveEntry.Task task) {
            return new Queue(
                    key,
                    options,
                    tasks + 1,
                    delayed + (task.notBefore().isPresent() ? 1 : 0),
                    dataBytes + task.data().size());
        }
    }

    /**
     * Reads an archive to its end.
     *
     * @throws io.taskmaster.archive.ArchiveException if it is not whole
     */
    static ArchiveContents of(ArchiveReader archive, TransferProgress transferProgress) throws IOException {
        List<Queue> queues = new ArrayList<>();
        for (Optional<ArchiveEntry> next = archive.next(); next.isPresent(); next = archive.next()) {
            switch (next.get()) {
                case ArchiveEntry.Queue(QueueKey key, QueueOptions options) ->
                    queues.add(new Queue(key, options, 0, 0, 0));
                case ArchiveEntry.Task task -> queues.add(queues.removeLast().with(task));
            }
            if (archive.tasks() % STEP == 0) {
                transferProgress.to(archive.tasks());
            }
        }
        return new ArchiveContents(queues);
    }

    TextTable textTable() {
        var textTable = new TextTable("GROUP", "QUEUE", "TASKS", "DELAYED", "BYTES", "PAUSED", "MAX LEASED", "WEIGHT");
        for (Queue queue : queues) {
            textTable.add(
                    ByteText.line(queue.key().group()),
                    ByteText.line(queue.key().name()),
                    queue.tasks(),
                    queue.delayed(),
                    queue.dataBytes(),
                    QueueLines.paused(queue.options()),
                    QueueLines.cap(queue.options()),
                    queue.options().weight());
        }
        return textTable;
    }

    static JsonObject json(Queue queue) {
        var json = new JsonObject();
        TaskLines.add(json, "group", queue.key().group());
        TaskLines.add(json, "queue", queue.key().name());
        json.addProperty("tasks", queue.tasks());
        json.addProperty("delayed", queue.delayed());
        json.addProperty("data_bytes", queue.dataBytes());
        QueueLines.add(json, queue.options());
        return json;
    }
}
