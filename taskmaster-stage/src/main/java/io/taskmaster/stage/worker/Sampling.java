package io.taskmaster.stage.worker;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.control.Sample;
import io.taskmaster.stage.steering.StageMonitor;
import io.taskmaster.stage.worker.task.Attempt;
import io.taskmaster.stage.worker.task.InFlightTask;
import java.util.List;

/**
 * The samples of a durable stage that its controllers decide on.
 *
 * <pre>{@code
 * a place is busy   with prefetch: until the handler returns, for the next task is already here;
 *                   without: until the settlement is committed, for its permit then leases the next one.
 *                   The tasks of a batch share the place.
 * a task is done    when it no longer keeps its place busy, whatever its end
 * waiting           the tasks that were leased ahead, and the LeaseBacklog
 * turned away       each lease call that the server refuses as OVERLOADED
 * }</pre>
 *
 * <p>Single-threaded: owned by a stage runner.
 */
final class Sampling {

    private final StageMonitor stageMonitor;
    private final LeaseBacklog leaseBacklog;
    private final boolean isLeasedAhead;

    Sampling(StageSettings settings, long nowNanos) {
        this.stageMonitor = new StageMonitor(nowNanos);
        this.leaseBacklog = new LeaseBacklog(settings.lease(), nowNanos);
        this.isLeasedAhead = settings.prefetch() > 0;
    }

    /** Records a lease call for this number of tasks. */
    void onRequest(int tasks, long nowNanos) {
        leaseBacklog.onRequest(tasks, nowNanos);
    }

    /** Records the reply of the call. */
    void answered(List<LeasedTask> leased, long nowNanos) {
        leaseBacklog.answered(leased, nowNanos);
    }

    /** Records the failure of the call. */
    void failed(TaskMasterException error, long nowNanos) {
        if (error.code() == ErrorCode.OVERLOADED) {
            stageMonitor.turnedAway();
        }
        leaseBacklog.failed(nowNanos);
    }

    /** Records that a call of the handler has returned. */
    void returned(Attempt<?> attempt, long nowNanos) {
        if (isLeasedAhead) {
            stageMonitor.handled(attempt.size(), nowNanos - attempt.startedNanos());
        }
    }

    /** Records that a task is not held any more. */
    void ended(InFlightTask<?> task, long nowNanos) {
        Attempt<?> attempt = task.attempt;
        if (!isLeasedAhead && attempt != null) {
            stageMonitor.handled(1, (nowNanos - attempt.startedNanos()) / attempt.size());
        }
    }

    /**
     * Takes the sample since the last one.
     *
     * @param ready tasks that were leased and wait
     * @param running calls of the handler
     * @param isLeasing whether the backlog at the server counts: a stage that does not lease must not grow for it
     */
    Sample sample(long nowNanos, int ready, int running, boolean isLeasing) {
        Sample measured = stageMonitor.sample(nowNanos, ready, running);
        long more = leaseBacklog.length(measured.done(), measured.spanNanos(), nowNanos);
        return isLeasing ? measured.waitingToo(more) : measured;
    }
}
