package io.taskmaster.testkit.chaos;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The queues that tokens go through, round and round: in each group a ring of them, and beside it queues for everything that would
 * change the number of tokens. A token stays in its group. Immutable.
 *
 * @param queues in each ring
 */
record Ring(int queues) {

    /** Consistency groups, so that several partitions have work. */
    static final List<ByteString> GROUPS = List.of(
            ByteString.copyFromUtf8("amber"), ByteString.copyFromUtf8("birch"), ByteString.copyFromUtf8("cedar"));

    /** Of the queues beside the ring. */
    static final int SIDE_QUEUES = 3;

    /** Matches all queues of the ring, and none beside it. */
    static final String PATTERN = "q[0-9]+";

    private static final String LABEL = "token-";
    private static final char END_OF_LABEL = ';';

    Ring {
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

    /** Where all tokens are in the end. */
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
     * What a task carries: the token, and which enqueue it comes from, so that no two are alike.
     *
     * @param label of the token
     * @param enqueue unlike that of any other enqueue
     */
    static ByteString data(String label, String enqueue) {
        return ByteString.copyFromUtf8(label + END_OF_LABEL + enqueue);
    }

    /** The token that a task carries. */
    static String labelOf(ByteString data) {
        String text = data.toStringUtf8();
        int end = text.indexOf(END_OF_LABEL);
        return end < 0 ? text : text.substring(0, end);
    }
}
