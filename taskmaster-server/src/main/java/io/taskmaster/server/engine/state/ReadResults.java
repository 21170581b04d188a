package io.taskmaster.server.engine.state;

import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.command.Grant;
import java.util.List;
import java.util.Optional;

/**
 * The results of reads, taken into a partition's state. An entry in memory takes precedence over the row of a task,
 * which may be older. Single-threaded: owned by the partition's loop.
 */
public final class ReadResults {

    private final PartitionState state;

    ReadResults(PartitionState state) {
        this.state = state;
    }

    /** Loads a stored task into memory. If memory has the task, the row fills in only what memory has dropped. */
    public Task load(QueueState queue, StoredTask row, long readId) {
        Task task = queue.tasks.get(row.pid());
        if (task == null) {
            task = new Task(queue, row.pid());
            task.present = true;
            task.load(row.data());
            task.attempt = row.attempt();
            task.grant = row.grant();
            task.remembers = row.remembers();
            task.rerun = row.remembers() ? row.rerun() : null;
            task.cells = row.cells();
            task.storedFiresMillis = task.firesMillis();
            queue.keep(task);
            PartitionState.count(task, 1);
            // The end of its wait has been counted in the sizes already, so the task skips the time index.
            if (task.isTimed() && state.times.hasPassed(TimeHint.of(task))) {
                state.fired(task);
            } else {
                state.index(task);
            }
            state.residency.account(task);
            queue.noticeCompleteness();
        } else if (task.present && readId > task.cleanSinceRead) {
            loadMissing(task, row);
        }
        return task;
    }

    /** Loads the parts of a task that memory had dropped. */
    private void loadMissing(Task task, StoredTask row) {
        if (task.data == null) {
            task.load(row.data());
            task.queue.oldestReadyChanged();
        }
        if (task.remembers && task.rerun == null) {
            task.rerun = row.rerun();
        }
        state.residency.account(task);
    }

    /** Notes that there is no stored task. An entry in memory takes precedence. */
    public Task loadAbsent(QueueState queue, Pid pid) {
        Task task = queue.tasks.get(pid);
        if (task == null) {
            task = new Task(queue, pid);
            queue.keep(task);
            state.residency.account(task);
        }
        return task;
    }

    /**
     * Takes in a scan for the window, if it still fits: neither the generation nor the window has changed since it
     * began.
     *
     * @param from where the scan began
     * @param end where it ended; empty: at the end of the queue
     * @param keepLeased whether there is memory for tasks that cannot be leased now
     */
    public void windowScanned(
            QueueState queue,
            long generation,
            Pid from,
            List<StoredTask> rows,
            Optional<Pid> end,
            boolean keepLeased,
            long readId) {
        Window window = queue.window;
        if (queue.generation != generation
                || window.isComplete()
                || !window.scanFrom().equals(from)) {
            return;
        }
        // The window is extended first: settle evicts entries that the window does not cover.
        if (end.isPresent()) {
            window.extendedTo(end.get());
        } else {
            window.reachedEnd();
        }
        for (StoredTask row : rows) {
            Grant grant = row.grant();
            boolean running = grant != null
                    && !state.times.hasPassed(new TimeHint(grant.expiresMillis(), queue.key, generation, row.pid(), 0));
            if (running && !keepLeased && !queue.tasks.containsKey(row.pid())) {
                window.forgotLeased(row.pid());
            } else {
                state.residency.settle(load(queue, row, readId));
            }
        }
        state.residency.touch(queue);
    }

    /** Pins an entry that a parked command waits for: it stays in memory. */
    public void pin(Task task) {
        task.pins++;
    }

    public void unpin(Task task) {
        task.pins--;
        state.residency.settle(task);
    }

    /**
     * Notes that reads began or ended.
     *
     * @param oldestReadId the oldest read in flight; {@link Long#MAX_VALUE} if there is none
     */
    public void changed(long oldestReadId) {
        state.residency.readsChanged(oldestReadId);
    }
}
