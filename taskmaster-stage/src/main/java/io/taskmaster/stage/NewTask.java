package io.taskmaster.stage;

import static java.util.Objects.requireNonNull;

import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A task of a hand-off, or one that enters the pipeline from outside. Immutable: a method that sets a value returns a
 * changed copy.
 *
 * @param <T> the payload
 * @param queue the queue or family it belongs to
 * @param name the name of its queue: the queue itself, or a member of the family
 * @param place the choice of its PID. The default is the PID of the task that is handed on, which so names the same
 *     work in every stage
 * @param payload the payload, encoded by the codec of the queue
 * @param headers the headers that it carries; default none
 * @param ifExists the action if its PID is queued there already; by default the task that is there stays
 * @param notBefore the not-before time, by the server's clock; absent: available at once
 */
public record NewTask<T>(
        TaskQueue<T> queue,
        QueueName name,
        Place place,
        T payload,
        Map<String, String> headers,
        IfExists ifExists,
        Optional<Instant> notBefore) {

    /** The choice of a task's PID. */
    public sealed interface Place {

        /** The PID of the task that is handed on. */
        record Same() implements Place {}

        /** A given PID. */
        record At(Pid pid) implements Place {}

        /**
         * A PID behind all tasks of the queue (FIFO), which the server assigns. Repeating the work enqueues another
         * task, unless it repeats the same update.
         */
        record Last() implements Place {}
    }

    public NewTask {
        requireNonNull(queue, "queue");
        requireNonNull(name, "name");
        requireNonNull(place, "place");
        requireNonNull(payload, "payload");
        headers = Map.copyOf(headers);
        requireNonNull(ifExists, "ifExists");
        requireNonNull(notBefore, "notBefore");
    }

    static <T> NewTask<T> of(TaskQueue<T> queue, QueueName name, T payload) {
        return new NewTask<>(queue, name, new Place.Same(), payload, Map.of(), IfExists.COLLAPSE, Optional.empty());
    }

    /** Sets the PID. */
    public NewTask<T> at(Pid pid) {
        return new NewTask<>(queue, name, new Place.At(pid), payload, headers, ifExists, notBefore);
    }

    /** Sets the PID to the UTF-8 bytes of a text. */
    public NewTask<T> at(String pid) {
        return at(Pid.of(pid));
    }

    /** Lets the server assign a PID at the end of the queue. */
    public NewTask<T> last() {
        return new NewTask<>(queue, name, new Place.Last(), payload, headers, ifExists, notBefore);
    }

    /** Replaces the headers. */
    public NewTask<T> headers(Map<String, String> carried) {
        return new NewTask<>(queue, name, place, payload, carried, ifExists, notBefore);
    }

    /** Sets the action for a PID that is queued already. */
    public NewTask<T> ifExists(IfExists ifExists) {
        return new NewTask<>(queue, name, place, payload, headers, ifExists, notBefore);
    }

    /** Delays the task: it is queued, but not available before this time by the server's clock. */
    public NewTask<T> notBefore(Instant time) {
        return new NewTask<>(queue, name, place, payload, headers, ifExists, Optional.of(time));
    }

    /**
     * Returns its PID; absent if the server assigns one.
     *
     * @param handedOn the PID of the task that is handed on
     */
    public Optional<Pid> pid(Pid handedOn) {
        return switch (place) {
            case Place.Same() -> Optional.of(handedOn);
            case Place.At(Pid pid) -> Optional.of(pid);
            case Place.Last() -> Optional.empty();
        };
    }

    /**
     * Returns the enqueue of this task for an update.
     *
     * @param handedOn the PID of the task that is handed on
     * @throws RuntimeException if the codec cannot encode the payload
     */
    public Enqueue enqueue(Pid handedOn) {
        Bytes data = requireNonNull(queue.codec().encode(payload), "the encoded payload, from the codec of the queue");
        return new Enqueue(name, pid(handedOn), data, headers, ifExists, notBefore);
    }
}
