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
 * A task that is handed on. Immutable: a method that sets something returns a changed copy.
 *
 * @param queue what it is
 * @param name where it goes: the queue, or a member of the family
 * @param place in the order; the default is that of the task that is handed on, whose PID names the same work in every stage
 * @param headers are carried with it
 * @param ifExists what becomes of it if its PID is queued there already; the default keeps what is there
 * @param notBefore from when on it can be leased, by the server's clock; absent: at once
 */
public record NewTask<T>(
        TaskQueue<T> queue,
        QueueName name,
        Place place,
        T payload,
        Map<String, String> headers,
        IfExists ifExists,
        Optional<Instant> notBefore) {

    /** Which PID a task gets. */
    public sealed interface Place {

        /** That of the task that is handed on. */
        record Same() implements Place {}

        /** This one. */
        record At(Pid pid) implements Place {}

        /** One behind all that are there (FIFO). A repetition of the work makes another one, unless the hand-off is the same. */
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

    public NewTask<T> at(Pid pid) {
        return new NewTask<>(queue, name, new Place.At(pid), payload, headers, ifExists, notBefore);
    }

    /** With the UTF-8 bytes of a text as its PID. */
    public NewTask<T> at(String pid) {
        return at(Pid.of(pid));
    }

    public NewTask<T> last() {
        return new NewTask<>(queue, name, new Place.Last(), payload, headers, ifExists, notBefore);
    }

    public NewTask<T> headers(Map<String, String> carried) {
        return new NewTask<>(queue, name, place, payload, carried, ifExists, notBefore);
    }

    public NewTask<T> ifExists(IfExists what) {
        return new NewTask<>(queue, name, place, payload, headers, what, notBefore);
    }

    public NewTask<T> notBefore(Instant time) {
        return new NewTask<>(queue, name, place, payload, headers, ifExists, Optional.of(time));
    }

    /**
     * Its PID; absent if the server assigns one.
     *
     * @param handedOn the PID of the task that is handed on
     */
    public Optional<Pid> pid(Pid handedOn) {
        return switch (place) {
            case Place.Same() -> Optional.of(handedOn);
            case Place.At(Pid given) -> Optional.of(given);
            case Place.Last() -> Optional.empty();
        };
    }

    /**
     * Its part in an update.
     *
     * @param handedOn the PID of the task that is handed on
     */
    public Enqueue enqueue(Pid handedOn) {
        Bytes data = requireNonNull(queue.codec().encode(payload), "data, as the codec of the queue encodes it");
        return new Enqueue(name, pid(handedOn), data, headers, ifExists, notBefore);
    }
}
