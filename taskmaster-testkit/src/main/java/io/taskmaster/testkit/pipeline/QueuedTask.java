package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.client.PeekResult.State;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.stage.Codec;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A task in a queue, with its state. Immutable. */
public record QueuedTask<T>(QueueKey queue, PeekedTask task, Codec<T> codec) {

    public Pid pid() {
        return task.pid();
    }

    /**
     * Returns the payload, decoded by the codec of its queue.
     *
     * @throws RuntimeException if the codec cannot decode it, which is possible with dead letters
     */
    public T payload() {
        return codec.decode(task.data());
    }

    public Map<String, String> headers() {
        return task.headers();
    }

    public State state() {
        return task.state();
    }

    /** Returns the time at which the lease expires or the delay ends. */
    public Optional<Instant> until() {
        return task.until();
    }

    /** Returns the number of leases so far. */
    public int attempts() {
        return task.attempt();
    }

    /** Returns the reason of a dead letter. */
    public Optional<String> reason() {
        return Optional.ofNullable(headers().get(DeadLetter.REASON));
    }

    @Override
    public String toString() {
        return "%s %s%s%s"
                .formatted(
                        KitEvent.task(queue, pid()),
                        state(),
                        until().map(time -> " until " + time).orElse(""),
                        reason().map(text -> ", " + text).orElse(""));
    }
}
