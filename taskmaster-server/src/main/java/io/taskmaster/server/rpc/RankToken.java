package io.taskmaster.server.rpc;

import io.taskmaster.server.engine.Ranking.Place;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Where a ranking goes on: behind the place of the last queue of the page before. As good as a {@link PageToken}, which it is with more in
 * front: the number of the order that the place is in (4 bytes), and the rank (8 bytes).
 */
final class RankToken {

    private static final byte VERSION = 2;
    private static final int FRONT_BYTES = Integer.BYTES + Long.BYTES;

    private RankToken() {}

    static String of(int order, Place last) {
        byte[] front = ByteBuffer.allocate(FRONT_BYTES)
                .putInt(order)
                .putLong(last.rank())
                .array();
        return PageToken.seal(VERSION, front, last.queue());
    }

    /**
     * The place behind which to go on; absent for an empty token.
     *
     * @param order that is asked for: in another one the place is nowhere
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
