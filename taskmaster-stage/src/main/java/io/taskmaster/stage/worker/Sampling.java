package io.taskmaster.stage.worker;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.control.Sample;
import io.taskmaster.stage.steering.Watch;
import java.util.List;

/**
 * What the controllers of a durable stage see of it.
 *
 * <pre>
 * a place is busy    where tasks are leased ahead: until the handler has returned, for the next task is there
 *                    otherwise: until what came of its task is committed, for the next one is leased with its permit. A batch shares the place
 * a task is done     when its place is not busy with it any more, to whatever end
 * what waits         tasks that were leased ahead, and the {@link Backlog}
 * is turned away     each lease call that the server refuses because it is overloaded
 * </pre>
 *
 * Single-threaded: owned by a stage runner.
 */
final class Sampling {

    private final Watch watch;
    private final Backlog backlog;
    private final boolean isLeasedAhead;

    Sampling(StageSettings settings, long nowNanos) {
        this.watch = new Watch(nowNanos);
        this.backlog = new Backlog(settings.lease(), nowNanos);
        this.isLeasedAhead = settings.prefetch() > 0;
    }

    /** A lease call for so many tasks is made. */
    void asked(int tasks, long nowNanos) {
        backlog.asked(tasks, nowNanos);
    }

    /** It has come back. */
    void answered(List<LeasedTask> leased, long nowNanos) {
        backlog.answered(leased, nowNanos);
    }

    /** It has failed. */
    void failed(TaskMasterException error, long nowNanos) {
        if (error.code() == ErrorCode.OVERLOADED) {
            watch.turnedAway();
        }
        backlog.failed(nowNanos);
    }

    /** A call of the handler has returned. */
    void returned(Attempt<?> attempt, long nowNanos) {
        if (isLeasedAhead) {
            watch.handled(attempt.size(), nowNanos - attempt.startedNanos());
        }
    }

    /** A task is not ours any more. */
    void gone(Held<?> task, long nowNanos) {
        Attempt<?> attempt = task.attempt;
        if (!isLeasedAhead && attempt != null) {
            watch.handled(1, (nowNanos - attempt.startedNanos()) / attempt.size());
        }
    }

    /**
     * What there was since the last one.
     *
     * @param ready tasks that were leased and wait
     * @param running calls of the handler
     * @param isLeasing whether what the server has is to come here at all
     */
    Sample sample(long nowNanos, int ready, int running, boolean isLeasing) {
        Sample here = watch.sample(nowNanos, ready, running);
        long more = backlog.length(here.done(), here.spanNanos(), nowNanos);
        return isLeasing ? here.waitingToo(more) : here;
    }
}
