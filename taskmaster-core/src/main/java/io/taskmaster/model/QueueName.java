package io.taskmaster.model;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The name of a queue within its consistency group. Immutable. */
public final class QueueName extends ByteSequence implements Comparable<QueueName> {

    /** The empty one. */
    public static final QueueName EMPTY = new QueueName(new byte[0]);

    private QueueName(byte[] bytes) {
        super(bytes);
    }

    /** Copies the bytes. */
    public static QueueName copyOf(byte[] bytes) {
        return new QueueName(bytes.clone());
    }

    /** Takes the bytes over without a copy: the caller never changes them again. */
    public static QueueName wrap(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new QueueName(bytes);
    }

    /** The UTF-8 bytes of a text. */
    public static QueueName of(String text) {
        return wrap(text.getBytes(UTF_8));
    }

    /** Unsigned, byte-wise. */
    @Override
    public int compareTo(QueueName other) {
        return compareBytes(other);
    }
}
