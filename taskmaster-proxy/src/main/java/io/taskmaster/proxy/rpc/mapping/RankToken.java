package io.taskmaster.proxy.rpc.mapping;

import io.taskmaster.command.Ranking.Place;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The position at which a ranking continues: behind the place of the last queue of the page before. It is valid
 * wherever a {@link PageToken} is, and has its form, with more in front: the number of the order that the place belongs
 * to (4 bytes), and the rank (8 bytes). Thread-safe: stateless.
 */
public final class RankToken {

    private static final byte VERSION = 2;
    private static final int FRONT_BYTES = Integer.BYTES + Long.BYTES;

    private RankToken() {}

    public static String of(int order, Place last) {
        byte[] front = ByteBuffer.allocate(FRONT_BYTES)
                .putInt(order)
                .putLong(last.rank())
                .array();
        return PageToken.seal(VERSION, front, last.queue());
    }

    /**
     * Returns the place behind which to continue; absent for an empty token.
     *
     * @param order the order of the request: a token of another order is refused
     */
    static Optional<Place> parse(int order, String token) {
        if (token.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer bytes = PageToken.open(VERSION, token);
        if (bytes.remaining() < FRONT_BYTES || bytes.getInt() != order) {
            throw PageToken.bad(token);
        }
        long rank = bytes.getLong();
        return Optional.of(new Place(rank, PageToken.queueOf(bytes, token)));
    }
}
