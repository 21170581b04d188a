package io.taskmaster.proxy.rpc;

import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Leased;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.route.ReplySink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fake caller of a lease that takes one answer, and may disconnect before. Single-threaded. */
public final class FakeCaller implements ReplySink {

    @Nullable
    public List<LeasedTask> tasks;

    @Nullable
    public TaskMasterException error;

    private boolean cancelled;
    private @Nullable Runnable cancel;

    /** Disconnects. */
    public void cancel() {
        cancelled = true;
        if (cancel != null) {
            cancel.run();
        }
    }

    public boolean isAnswered() {
        return tasks != null || error != null;
    }

    @Override
    public void reply(Reply reply) {
        expectNoAnswer(reply);
        tasks = ((Leased) reply).tasks();
    }

    @Override
    public void fail(TaskMasterException failure) {
        expectNoAnswer(failure);
        error = failure;
    }

    private void expectNoAnswer(Object answer) {
        if (isAnswered()) {
            throw new AssertionError("a second answer: " + answer);
        }
    }

    @Override
    public void waits(Runnable end) {
        cancel = end;
        if (cancelled) {
            end.run();
        }
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }
}
