package io.taskmaster.cli.archive;

import io.taskmaster.archive.ArchiveEntry;
import io.taskmaster.archive.ArchiveException;
import io.taskmaster.archive.ArchiveReader;
import io.taskmaster.cli.common.TransferProgress;
import io.taskmaster.cli.common.UpdatesInFlight;
import io.taskmaster.client.ServiceClass;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A loader of an archive into a server. It puts many tasks into one update, and keeps several updates in flight. Each
 * queue gets its options before its first task. Everything before a corruption of the archive is enqueued, and nothing
 * behind it. In memory are one block of the archive and the updates in flight. Single-threaded: owned by its command.
 */
final class Importer {

    private static final int IN_FLIGHT = 8;
    private static final int UPDATE_TASKS = 500;
    private static final long UPDATE_BYTES = 4L << 20;

    private final TaskMasterClient client;
    private final Settings settings;
    private final UpdatesInFlight inFlight;
    private final Gathering batch = new Gathering();
    private @Nullable QueueKey last;
    private long ofLast;

    /**
     * The choices of the user. Immutable.
     *
     * @param names new names of queues by their old names, in every group; other queues keep their names
     */
    record Settings(
            IfExists ifExists, boolean restoresOptions, Map<QueueName, QueueName> names, ServiceClass serviceClass) {

        QueueKey renamed(QueueKey queue) {
            return new QueueKey(queue.group(), names.getOrDefault(queue.name(), queue.name()));
        }
    }

    Importer(TaskMasterClient client, Settings settings, TransferProgress transferProgress) {
        this.client = client;
        this.settings = settings;
        this.inFlight = new UpdatesInFlight(client, IN_FLIGHT, (update, done) -> {
            count(update);
            transferProgress.to(done);
        });
    }

    /**
     * Enqueues all tasks. Blocks.
     *
     * @throws ArchiveException if the archive is not whole, after everything before the corruption was enqueued
     * @throws UpdatesInFlight.Refused if an update was refused
     */
    void run(ArchiveReader archive) throws IOException, InterruptedException {
        try {
            read(archive);
        } catch (ArchiveException damaged) {
            batch.send();
            inFlight.settle();
            throw damaged;
        }
        batch.send();
        inFlight.settle();
    }

    private void read(ArchiveReader archive) throws IOException, InterruptedException {
        QueueName queue = QueueName.EMPTY;
        for (Optional<ArchiveEntry> next = archive.next(); next.isPresent(); next = archive.next()) {
            switch (next.get()) {
                case ArchiveEntry.Queue from -> {
                    QueueKey to = settings.renamed(from.key());
                    batch.in(to.group());
                    queue = to.name();
                    if (settings.restoresOptions()) {
                        client.blocking().configure(to, from.options());
                    }
                }
                case ArchiveEntry.Task task -> batch.add(task.enqueue(queue).ifExists(settings.ifExists()));
            }
        }
    }

    long enqueued() {
        return inFlight.enqueued();
    }

    long collapsed() {
        return inFlight.collapsed();
    }

    /** The queue of the last task that is known to be enqueued: all queues before it are complete. */
    Optional<QueueKey> last() {
        return Optional.ofNullable(last);
    }

    /** The number of tasks of that queue that are known to be enqueued. */
    long ofLast() {
        return ofLast;
    }

    private void count(Update update) {
        for (Enqueue task : update.enqueues()) {
            var queue = new QueueKey(update.group(), task.queue());
            ofLast = queue.equals(last) ? ofLast + 1 : 1;
            last = queue;
        }
    }

    /** The next update: tasks of one group, and of as many of its queues as fit. */
    private final class Gathering {

        private GroupName group = GroupName.EMPTY;
        private final List<Enqueue> tasks = new ArrayList<>();
        private long bytes;

        void in(GroupName next) throws InterruptedException {
            if (!next.equals(group)) {
                send();
                group = next;
            }
        }

        void add(Enqueue task) throws InterruptedException {
            int size = UpdatesInFlight.bytes(task);
            if (tasks.size() == UPDATE_TASKS || bytes + size > UPDATE_BYTES) {
                send();
            }
            tasks.add(task);
            bytes += size;
        }

        void send() throws InterruptedException {
            if (tasks.isEmpty()) {
                return;
            }
            UpdateBuilder update = Update.in(group).serviceClass(settings.serviceClass());
            tasks.forEach(update::enqueue);
            tasks.clear();
            bytes = 0;
            inFlight.send(update.build());
        }
    }
}
