package io.taskmaster.stage.worker;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.guard.Warnings;
import io.taskmaster.stage.worker.task.Mailbox;
import io.taskmaster.stage.worker.task.TaskService;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lease calls of a stage: one long poll at a time, for as many tasks as there are permits. So under load, while
 * many tasks are settled, calls return batches by themselves. A call keeps the permits that it was made with until it
 * is over. After a failed call there is a pause of {@link #ERROR_DELAY}. Single-threaded: owned by a stage runner.
 */
final class Leasing {

    /** The receiver of leased tasks. */
    interface Listener {

        /** Receives the tasks of a call. */
        void arrived(List<LeasedTask> leased);

        /** Receives that another call can be made. */
        void idle();
    }

    /** The time that an unwanted call has to return before it is cancelled. */
    private static final Duration REPLY_GRACE = Duration.ofMillis(500);

    /** The pause after a call that failed. */
    private static final Duration ERROR_DELAY = Duration.ofSeconds(1);

    private final StageSettings settings;
    private final TaskService tasks;
    private final Mailbox mailbox;
    private final LeaseRequest request;
    private final OutageReporter outageReporter;
    private final Sampling sampling;
    private final Listener listener;

    private @Nullable CompletableFuture<List<LeasedTask>> poll;
    private long requestedNanos;
    private boolean backingOff;

    /**
     * Creates the leasing of one stage.
     *
     * @param sampling the receiver of the times of each call
     */
    Leasing(
            Stage<?> stage,
            Optional<GroupName> group,
            TaskService tasks,
            Mailbox mailbox,
            Sampling sampling,
            Warnings warnings,
            Listener listener) {
        this.settings = stage.settings();
        this.tasks = tasks;
        this.mailbox = mailbox;
        this.request = LeaseRequest.from(stage.input().selector(group))
                .length(settings.lease())
                .maxWait(settings.maxWait())
                .maxLeasedPerQueue(settings.maxPerQueue())
                .serviceClass(settings.serviceClass());
        this.outageReporter = new OutageReporter("lease", warnings);
        this.sampling = sampling;
        this.listener = listener;
    }

    /** Leases up to this number of tasks, unless a call is in flight or the pause after a failure lasts. */
    void requestTasks(int permits) {
        if (poll != null || backingOff || permits <= 0) {
            return;
        }
        requestedNanos = mailbox.nanoTime();
        sampling.onRequest(permits, requestedNanos);
        CompletableFuture<List<LeasedTask>> call = Mailbox.call(() -> tasks.lease(requestFor(permits)));
        // The reply is handled in a step of its own, hence after this one, even if it is there already.
        poll = call;
        mailbox.whenDone(call, (leased, error) -> {
            poll = null;
            try {
                if (leased != null) {
                    outageReporter.onRecovery();
                    sampling.answered(leased, mailbox.nanoTime());
                    listener.arrived(leased);
                } else if (!call.isCancelled()) {
                    failed(OutageReporter.of(error));
                }
            } finally {
                listener.idle();
            }
        });
    }

    private void failed(TaskMasterException error) {
        outageReporter.met(error);
        sampling.failed(error, mailbox.nanoTime());
        backOff();
    }

    private LeaseRequest requestFor(int permits) {
        LeaseRequest limited = request.maxTasks(permits);
        return settings.maxPid()
                .map(last -> limited.maxPid(last.apply(mailbox.now())))
                .orElse(limited);
    }

    private void backOff() {
        backingOff = true;
        mailbox.after(ERROR_DELAY, () -> {
            backingOff = false;
            listener.idle();
        });
    }

    /** Returns whether a call is in flight. */
    boolean isRequesting() {
        return poll != null;
    }

    /**
     * Ends the call in flight. It may have met tasks whose reply is on its way; cancelling would hold them for the
     * length of a lease. So it has {@link #REPLY_GRACE} to return first. A call that is older has had that time, unless
     * it may meet tasks that this worker is about to release. Otherwise it waits at the server, which drops it when it
     * is cancelled. A task may be leased just then, but that is no less likely a moment later.
     *
     * @param mayConflict whether this worker holds tasks that it may release
     * @param isRestarted asked before the call is cancelled
     */
    void end(boolean mayConflict, BooleanSupplier isRestarted) {
        CompletableFuture<List<LeasedTask>> ending = poll;
        if (ending != null) {
            Duration elapsed = mayConflict ? Duration.ZERO : Duration.ofNanos(mailbox.nanoTime() - requestedNanos);
            mailbox.after(REPLY_GRACE.minus(elapsed), () -> {
                if (!isRestarted.getAsBoolean()) {
                    ending.cancel(true);
                }
            });
        }
    }

    /** Cancels the call in flight. Tasks that it has met stay leased until their leases expire. */
    void stop() {
        if (poll != null) {
            poll.cancel(true);
        }
    }

    /** The failure of the last call; absent if it succeeded. */
    Optional<String> outage() {
        return outageReporter.current();
    }
}
