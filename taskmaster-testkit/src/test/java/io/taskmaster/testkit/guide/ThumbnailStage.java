package io.taskmaster.testkit.guide;

import static io.taskmaster.error.ErrorCode.Advice.OUTCOME_UNKNOWN;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** The pipeline of the guide: an upload becomes a thumbnail, or a dead letter after three attempts. */
final class ThumbnailStage {

    static final QueueName THUMBNAILS = QueueName.of("thumbnails");
    static final QueueName DEAD = QueueName.of("uploads.dead");

    private final BlockingClient tasks;
    private final QueueKey uploads;
    private final InstantSource clock;

    ThumbnailStage(BlockingClient tasks, QueueKey uploads, InstantSource clock) {
        this.tasks = tasks;
        this.uploads = uploads;
        this.clock = clock;
    }

    /** Works on one upload; false if there is none. */
    boolean runOnce() {
        List<LeasedTask> leased = tasks.lease(LeaseRequest.from(uploads).length(Duration.ofMinutes(1)));
        for (LeasedTask task : leased) {
            try {
                tasks.update(settled(task));
            } catch (TaskMasterException error) {
                if (error.code().advice() != OUTCOME_UNKNOWN) {
                    throw error;
                }
                // It is done, or comes back when the lease ends.
            }
        }
        return !leased.isEmpty();
    }

    private Update settled(LeasedTask task) {
        UpdateBuilder update = Update.in(uploads.group());
        try {
            Bytes thumbnail = shrink(task.data());
            return update.dequeue(task)
                    .enqueue(THUMBNAILS, task.pid(), thumbnail)
                    .build();
        } catch (IllegalArgumentException broken) {
            return task.attempt() < 3
                    ? update.release(task, clock.instant().plus(Duration.ofHours(1)))
                            .build()
                    : update.dequeue(task)
                            .enqueue(DEAD, task.pid(), task.data())
                            .build();
        }
    }

    private static Bytes shrink(Bytes picture) {
        if (picture.equals(Bytes.of("broken"))) {
            throw new IllegalArgumentException("not a picture");
        }
        return Bytes.of("small");
    }
}
