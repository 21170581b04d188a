package io.taskmaster.server.rpc;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.command.Reply;
import io.taskmaster.server.engine.command.Reply.Leased;
import io.taskmaster.server.engine.command.Reply.LeasedTask;
import io.taskmaster.server.partition.commit.ReplySink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fake caller of a lease that takes one answer, and may disconnect before. Single-threaded. */
public final class Caller implements ReplySink {

    @Nullable
    public List<LeasedTask> tasks;

    @Nullable
    public TaskMasterException error;

    private boolean gone;
    private @Nullable Runnable cancel;

    /** Disconnects. */
    public void goAway() {
        gone = true;
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
        if (gone) {
            end.run();
        }
    }

    @Override
    public boolean isCancelled() {
        return gone;
    }
}
