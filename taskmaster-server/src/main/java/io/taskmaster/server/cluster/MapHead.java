package io.taskmaster.server.cluster;

import io.taskmaster.model.Bytes;
import java.util.zip.CRC32C;

/**
 * The head of the map: which of the bodies is in force. Immutable.
 *
 * @param version the version of the map; the key of its body
 * @param checksum the CRC-32C of the body
 * @param formatLevel the level of the formats that the nodes write
 */
record MapHead(long version, int checksum, int formatLevel) {

    MapHead {
        if (version < 0 || formatLevel < 1) {
            throw new IllegalArgumentException(
                    "head of the map: version %d, format level %d (expected: at least 0 and 1)"
                            .formatted(version, formatLevel));
        }
    }

    static MapHead of(long version, Bytes body, int formatLevel) {
        return new MapHead(version, checksum(body), formatLevel);
    }

    boolean isOf(Bytes body) {
        return checksum == checksum(body);
    }

    private static int checksum(Bytes body) {
        CRC32C checksum = new CRC32C();
        checksum.update(body.unsafeArray());
        return (int) checksum.getValue();
    }
}
