package io.taskmaster.client;

import static com.google.common.primitives.Bytes.concat;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueName;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The form of a dead letter: a task that is not tried again, moved unchanged to the queue {@code NAME.dead} beside its
 * own, with headers that give the reason. It replaces a dead letter of the same PID. Stateless.
 */
public final class DeadLetter {

    /** The header with the reason, as text. */
    public static final String REASON = "dead-reason";

    /** The header with the name of the task's queue. */
    public static final String ORIGIN = "dead-origin";

    /** The header with the number of the task's leases. */
    public static final String ATTEMPTS = "dead-attempts";

    /**
     * The RE2 pattern of all names except those of dead-letter queues. RE2 has no negative lookahead, hence its form.
     */
    public static final String PATTERN_OF_OTHERS =
            "(?s:(?:.*[^d]|(?:.*[^a])?d|(?:.*[^e])?ad|(?:.*[^d])?ead|(?:.*[^.])?dead)?)";

    /** The maximum size of the reason, in bytes of UTF-8. Longer ones are cut. */
    public static final int MAX_REASON_BYTES = 1_024;

    /** The maximum size of a short reason, in bytes of UTF-8. */
    private static final int SHORT_REASON_BYTES = 64;

    private static final Bytes ENDING = QueueName.DEAD_LETTER_ENDING;
    private static final Set<String> OWN = Set.of(REASON, ORIGIN, ATTEMPTS);

    private DeadLetter() {}

    /** Returns the dead-letter queue of a queue. */
    public static QueueName queueOf(QueueName origin) {
        return QueueName.wrap(concat(origin.unsafeArray(), ENDING.unsafeArray()));
    }

    /**
     * Returns the queue of a dead-letter queue. It is derived from the name, since a header is text, and a name need
     * not be.
     *
     * @throws IllegalArgumentException if the queue is no dead-letter queue
     */
    @CanIgnoreReturnValue
    public static QueueName originOf(QueueName dead) {
        if (!isQueueOf(dead)) {
            throw new IllegalArgumentException(
                    "queue: %s (expected: a dead-letter queue, NAME%s)".formatted(dead, ENDING));
        }
        return QueueName.wrap(Arrays.copyOf(dead.unsafeArray(), dead.size() - ENDING.size()));
    }

    /** Returns whether a queue is a dead-letter queue. */
    public static boolean isQueueOf(QueueName queue) {
        return queue.isForDeadLetters();
    }

    /** Returns the enqueue of a task as a dead letter, for the update that dequeues it. */
    public static Enqueue of(LeasedTask task, String reason) {
        Map<String, String> headers = new HashMap<>(task.headers());
        headers.putAll(own(task, reason));
        return of(task, headers);
    }

    /** Returns the same with a shortened reason, for tasks whose headers leave little free space. */
    public static Enqueue withShortReason(LeasedTask task, String reason) {
        return of(task, cut(reason, SHORT_REASON_BYTES));
    }

    /**
     * Returns the same without the headers of the task, if they leave no free space at all. The reason then lists their
     * names.
     */
    public static Enqueue withoutHeaders(LeasedTask task, String reason) {
        String names = task.headers().keySet().stream().sorted().collect(Collectors.joining(", "));
        return of(
                task,
                own(task, "%s (no room for its own headers: %s)".formatted(cut(reason, MAX_REASON_BYTES / 2), names)));
    }

    /**
     * Returns the enqueue that brings a dead letter back, for the update that dequeues it: in the queue that it came
     * from, without the headers of a dead letter, its attempts counted from 0. A task with its PID that is queued there
     * by now stays.
     *
     * @throws IllegalArgumentException if its queue is no dead-letter queue
     */
    public static Enqueue back(LeasedTask dead) {
        Map<String, String> headers = new HashMap<>(dead.headers());
        headers.keySet().removeAll(OWN);
        return Enqueue.of(originOf(dead.queue().name()), dead.pid(), dead.data())
                .headers(headers);
    }

    private static Enqueue of(LeasedTask task, Map<String, String> headers) {
        return Enqueue.of(queueOf(task.queue().name()), task.pid(), task.data())
                .headers(headers)
                .ifExists(IfExists.REPLACE);
    }

    private static Map<String, String> own(LeasedTask task, String reason) {
        return Map.of(
                REASON,
                cut(reason, MAX_REASON_BYTES),
                ORIGIN,
                task.queue().name().toString(),
                ATTEMPTS,
                Integer.toString(task.attempt()));
    }

    private static String cut(String reason, int maxBytes) {
        byte[] bytes = reason.getBytes(UTF_8);
        if (bytes.length <= maxBytes) {
            return reason;
        }
        int end = maxBytes;
        // A character is not cut in the middle: its continuation bytes have the form 10xxxxxx.
        while ((bytes[end] & 0xc0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, UTF_8);
    }
}
