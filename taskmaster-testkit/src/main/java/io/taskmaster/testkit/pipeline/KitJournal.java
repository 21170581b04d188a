package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.BatchResult;
import io.taskmaster.client.Update;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.testkit.virtual.VirtualTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A record of all events of a kit, in order, and a count of the commits in flight. Single-threaded: owned by the test.
 */
final class KitJournal {

    private final VirtualTime time;
    private final List<KitEvent> all = new ArrayList<>();
    private final List<Commit> commits = new ArrayList<>();
    private int inFlight;
    private long applied;

    KitJournal(VirtualTime time) {
        this.time = time;
    }

    void attempt(String worker, Task<?> task) {
        all.add(new KitEvent.Attempt(time.elapsed(), worker, task.lease().queue(), task.pid(), task.attempt()));
    }

    void incident(String worker, String description) {
        all.add(new KitEvent.Incident(time.elapsed(), worker, description));
    }

    void sent(int updates) {
        inFlight += updates;
    }

    Commit settled(String worker, Update update, BatchResult result) {
        Commit commit = Settled.commit(time.elapsed(), worker, update, result);
        inFlight--;
        applied += commit.isApplied() ? 1 : 0;
        all.add(commit);
        commits.add(commit);
        return commit;
    }

    /** Returns the number of commits that are sent and not answered. */
    int inFlight() {
        return inFlight;
    }

    /** Returns the number of commits that were applied. */
    long applied() {
        return applied;
    }

    /** Returns the number of attempts at the tasks of a queue. */
    long attempts(TaskQueue<?> queue) {
        return all.stream()
                .filter(kitEvent -> kitEvent instanceof KitEvent.Attempt attempt
                        && Members.has(queue, attempt.queue().name()))
                .count();
    }

    List<KitEvent> all() {
        return Collections.unmodifiableList(all);
    }

    List<Commit> commits() {
        return Collections.unmodifiableList(commits);
    }
}
