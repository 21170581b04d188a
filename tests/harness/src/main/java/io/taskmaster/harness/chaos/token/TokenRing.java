package io.taskmaster.harness.chaos.token;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The queues through which tokens circulate: a ring of them in each group, and side queues for all calls that would
 * change the number of tokens. A token stays in its group. Immutable.
 *
 * @param queues the number of queues in each ring
 */
public record TokenRing(int queues) {

    /** The consistency groups: several, so that several partitions have work. */
    public static final List<ByteString> GROUPS = List.of(
            ByteString.copyFromUtf8("amber"), ByteString.copyFromUtf8("birch"), ByteString.copyFromUtf8("cedar"));

    /** The number of side queues. */
    static final int SIDE_QUEUES = 3;

    /** The pattern of all queues of the ring, which matches no side queue. */
    static final String PATTERN = "q[0-9]+";

    private static final String LABEL = "token-";
    private static final char END_OF_LABEL = ';';

    public TokenRing {
        if (queues < 2) {
            throw new IllegalArgumentException("queues: %d (expected: at least 2)".formatted(queues));
        }
    }

    ByteString queue(int index) {
        return ByteString.copyFromUtf8("q" + index);
    }

    List<ByteString> names() {
        return IntStream.range(0, queues).mapToObj(this::queue).toList();
    }

    /** Returns the queue in which all tokens are at the end. */
    ByteString last() {
        return queue(queues - 1);
    }

    ByteString after(ByteString queue) {
        return queue((Integer.parseInt(queue.substring(1).toStringUtf8()) + 1) % queues);
    }

    static ByteString sideQueue(int index) {
        return ByteString.copyFromUtf8("side" + index);
    }

    static ByteString groupOf(int token) {
        return GROUPS.get(token % GROUPS.size());
    }

    static String label(int token) {
        return LABEL + token;
    }

    /**
     * Returns the data of a task: the token and the number of the enqueue, so that all data are different.
     *
     * @param label the label of the token
     * @param enqueue unique among all enqueues
     */
    public static ByteString data(String label, String enqueue) {
        return ByteString.copyFromUtf8(label + END_OF_LABEL + enqueue);
    }

    /** Returns the label of the token that a task carries. */
    static String labelOf(ByteString data) {
        String text = data.toStringUtf8();
        int end = text.indexOf(END_OF_LABEL);
        return end < 0 ? text : text.substring(0, end);
    }
}
