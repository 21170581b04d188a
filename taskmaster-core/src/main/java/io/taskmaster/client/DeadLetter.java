package io.taskmaster.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.primitives.Bytes;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.model.QueueName;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What becomes of a task that nobody need try again: it stays as it is, in the queue {@code NAME.dead} beside its own, with headers that
 * tell why. One of the same PID that is there already is replaced.
 */
public final class DeadLetter {

    /** The header that says why, in words. */
    public static final String REASON = "dead-reason";

    /** The header with the name of the queue that it was in. */
    public static final String ORIGIN = "dead-origin";

    /** The header that says how often it was leased. */
    public static final String ATTEMPTS = "dead-attempts";

    /** The pattern of all names but those of queues of dead letters; RE2 knows no simpler one. */
    public static final String PATTERN_OF_OTHERS =
            "(?s:(?:.*[^d]|(?:.*[^a])?d|(?:.*[^e])?ad|(?:.*[^d])?ead|(?:.*[^.])?dead)?)";

    /** In bytes of UTF-8; what is longer is cut. */
    public static final int MAX_REASON_BYTES = 1_024;

    /** In bytes of UTF-8. */
    private static final int SHORT_REASON_BYTES = 64;

    private static final String SUFFIX = ".dead";
    private static final byte[] SUFFIX_BYTES = SUFFIX.getBytes(UTF_8);
    private static final Set<String> OWN = Set.of(REASON, ORIGIN, ATTEMPTS);

    private DeadLetter() {}

    /** Where the dead letters of a queue are. */
    public static QueueName queueOf(QueueName origin) {
        return QueueName.wrap(Bytes.concat(origin.unsafeArray(), SUFFIX_BYTES));
    }

    /**
     * Where the dead letters of this queue came from. Its name tells: a header is text, and a name need not be.
     *
     * @throws IllegalArgumentException if these are no dead letters
     */
    @CanIgnoreReturnValue
    public static QueueName originOf(QueueName dead) {
        if (!isQueueOf(dead)) {
            throw new IllegalArgumentException(
                    "queue: %s (expected: one of dead letters, NAME%s)".formatted(dead, SUFFIX));
        }
        return QueueName.wrap(Arrays.copyOf(dead.unsafeArray(), dead.size() - SUFFIX_BYTES.length));
    }

    /** Whether these are dead letters. */
    public static boolean isQueueOf(QueueName queue) {
        int start = queue.size() - SUFFIX_BYTES.length;
        return start > 0
                && Arrays.equals(queue.unsafeArray(), start, queue.size(), SUFFIX_BYTES, 0, SUFFIX_BYTES.length);
    }

    /** The task as a dead letter, for the update that dequeues it. */
    public static Enqueue of(LeasedTask task, String reason) {
        Map<String, String> headers = new HashMap<>(task.headers());
        headers.putAll(own(task, reason));
        return of(task, headers);
    }

    /** The same with no more than the beginning of the reason, where the headers of the task leave little room. */
    public static Enqueue withShortReason(LeasedTask task, String reason) {
        return of(task, cut(reason, SHORT_REASON_BYTES));
    }

    /** The same without the headers of the task, which leave no room for ours; the reason says so, and which there were. */
    public static Enqueue withoutHeaders(LeasedTask task, String reason) {
        String names = task.headers().keySet().stream().sorted().collect(Collectors.joining(", "));
        return of(
                task,
                own(task, "%s (its own headers left no room: %s)".formatted(cut(reason, MAX_REASON_BYTES / 2), names)));
    }

    /**
     * The task as it was before, for the update that dequeues it as a dead letter: in the queue that it came from, without our headers, its
     * attempts beginning anew. If its PID is queued there again by now, that one stays.
     *
     * @throws IllegalArgumentException if its queue is none of dead letters
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
        while ((bytes[end] & 0xc0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, UTF_8);
    }
}
