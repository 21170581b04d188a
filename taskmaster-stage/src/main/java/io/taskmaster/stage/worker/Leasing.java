package io.taskmaster.stage.worker;

import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.guard.Warnings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server for the tasks of a stage: by one call at a time, for as many as there are permits, so while much is settled they come in batches by themselves. The
 * permits that a call is made with are its own until it is over. After a call that failed it rests. Single-threaded: owned by a stage runner.
 */
final class Leasing {

    /** How long a call that nobody wants any more has to come back. */
    private static final Duration WAY_BACK = Duration.ofMillis(500);

    /** Between calls that fail. */
    private static final Duration REST = Duration.ofSeconds(1);

    private final StageSettings settings;
    private final TaskService tasks;
    private final Mailbox mailbox;
    private final LeaseRequest request;
    private final Trouble trouble;
    private final Sampling sampling;
    private final Consumer<List<LeasedTask>> arrived;
    private final Runnable idle;

    private @Nullable CompletableFuture<List<LeasedTask>> poll;
    private long askedNanos;
    private boolean resting;

    /**
     * @param sampling hears of each call
     * @param arrived what a call brought
     * @param idle hears when it could ask again
     */
    Leasing(
            Stage<?> stage,
            Optional<GroupName> group,
            TaskService tasks,
            Mailbox mailbox,
            Sampling sampling,
            Warnings warnings,
            Consumer<List<LeasedTask>> arrived,
            Runnable idle) {
        this.settings = stage.settings();
        this.tasks = tasks;
        this.mailbox = mailbox;
        this.request = LeaseRequest.from(stage.input().selector(group))
                .length(settings.lease())
                .maxWait(settings.maxWait())
                .maxLeasedPerQueue(settings.maxPerQueue())
                .serviceClass(settings.serviceClass());
        this.trouble = new Trouble("lease", warnings);
        this.sampling = sampling;
        this.arrived = arrived;
        this.idle = idle;
    }

    /** Asks for so many tasks, if there is nothing under way and it need not rest. */
    void ask(int permits) {
        if (poll != null || resting || permits <= 0) {
            return;
        }
        askedNanos = mailbox.nanoTime();
        sampling.asked(permits, askedNanos);
        CompletableFuture<List<LeasedTask>> call = Mailbox.call(() -> tasks.lease(requestFor(permits)));
        poll = call;
        mailbox.whenDone(call, (leased, error) -> {
            poll = null;
            try {
                if (leased != null) {
                    trouble.isOver();
                    sampling.answered(leased, mailbox.nanoTime());
                    arrived.accept(leased);
                } else if (!call.isCancelled()) {
                    failed(Trouble.of(error));
                }
            } finally {
                idle.run();
            }
        });
    }

    private void failed(TaskMasterException error) {
        trouble.met(error);
        sampling.failed(error, mailbox.nanoTime());
        rest();
    }

    private LeaseRequest requestFor(int permits) {
        LeaseRequest some = request.maxTasks(permits);
        return settings.maxPid()
                .map(last -> some.maxPid(last.apply(mailbox.now())))
                .orElse(some);
    }

    private void rest() {
        resting = true;
        mailbox.after(REST, () -> {
            resting = false;
            idle.run();
        });
    }

    /** Whether a call may still bring something. */
    boolean isUnderWay() {
        return poll != null;
    }

    /**
     * Ends the call that is under way. It may have met tasks, which would be on their way back, and ours for the length of a lease; so it has a moment to come before it is
     * cancelled. An old call has had that moment, unless it may meet what we give back: it waits at the server, which forgets it; that a task comes just then is as likely
     * now as it is a moment later.
     *
     * @param mayMeetOurs whether there is something to give back
     * @param isWantedAgain asked before it is cancelled
     */
    void end(boolean mayMeetOurs, BooleanSupplier isWantedAgain) {
        CompletableFuture<List<LeasedTask>> ending = poll;
        if (ending != null) {
            Duration had = mayMeetOurs ? Duration.ZERO : Duration.ofNanos(mailbox.nanoTime() - askedNanos);
            mailbox.after(WAY_BACK.minus(had), () -> {
                if (!isWantedAgain.getAsBoolean()) {
                    ending.cancel(true);
                }
            });
        }
    }

    /** Ends the call that is under way, and there is no other. What it has met is ours for the length of a lease. */
    void stop() {
        if (poll != null) {
            boolean _ = poll.cancel(true);
        }
    }

    /** What the server does not do at present. */
    Optional<String> trouble() {
        return trouble.current();
    }
}
