package io.taskmaster.server.partition.log.row;

import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;

/**
 * The random identity of one owner of a partition: no two owners share one, even where they share a name. Immutable.
 */
public record Nonce(long high, long low) {

    public static final int BYTES = 16;

    /** Draws a new nonce. */
    public static Nonce draw(RandomGenerator random) {
        return new Nonce(random.nextLong(), random.nextLong());
    }

    public static Nonce read(ByteBuffer in) {
        return new Nonce(in.getLong(), in.getLong());
    }

    public void write(ByteBuffer out) {
        out.putLong(high).putLong(low);
    }

    /** Returns thirty-two hexadecimal digits. */
    @Override
    public String toString() {
        return "%016x%016x".formatted(high, low);
    }
}
