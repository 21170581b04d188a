package io.taskmaster.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** The name of a queue within its consistency group. Immutable. */
public final class QueueName extends ByteSequence implements Comparable<QueueName> {

    /** The empty name, which no queue has. */
    public static final QueueName EMPTY = new QueueName(new byte[0]);

    /** The ending of the names of dead-letter queues, which are named {@code NAME.dead}. */
    public static final Bytes DEAD_LETTER_ENDING = Bytes.of(".dead");

    private QueueName(byte[] bytes) {
        super(bytes);
    }

    /** Copies the bytes. */
    public static QueueName copyOf(byte[] bytes) {
        return new QueueName(bytes.clone());
    }

    /** Wraps the array without a copy. The caller must not change it any more. */
    public static QueueName wrap(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new QueueName(bytes);
    }

    /** Returns the UTF-8 bytes of a text. */
    public static QueueName of(String text) {
        return wrap(text.getBytes(UTF_8));
    }

    /** Returns whether it is the name of a dead-letter queue. The ending alone is not. */
    public boolean isForDeadLetters() {
        byte[] name = unsafeArray();
        byte[] ending = DEAD_LETTER_ENDING.unsafeArray();
        int start = name.length - ending.length;
        return start > 0 && Arrays.equals(name, start, name.length, ending, 0, ending.length);
    }

    /** Compares the bytes as unsigned numbers; a prefix comes first. */
    @Override
    public int compareTo(QueueName other) {
        return compareBytes(other);
    }
}
