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

/** A task in a queue, as it stands. Immutable. */
public record QueuedTask<T>(QueueKey queue, PeekedTask task, Codec<T> codec) {

    public Pid pid() {
        return task.pid();
    }

    /**
     * Its data, as the codec of its queue reads them.
     *
     * @throws RuntimeException if they are not what it expects; dead letters may be that
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

    /** Leased: when the lease ends; delayed: when it becomes available. */
    public Optional<Instant> until() {
        return task.until();
    }

    /** How often it was leased. */
    public int attempts() {
        return task.attempt();
    }

    /** Of a dead letter: why it is one. */
    public Optional<String> reason() {
        return Optional.ofNullable(headers().get(DeadLetter.REASON));
    }

    @Override
    public String toString() {
        return "%s %s%s%s"
                .formatted(
                        Happening.task(queue, pid()),
                        state(),
                        until().map(time -> " until " + time).orElse(""),
                        reason().map(why -> ", " + why).orElse(""));
    }
}
