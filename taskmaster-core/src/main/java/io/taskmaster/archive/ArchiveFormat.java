package io.taskmaster.archive;

/**
 * Numbers of the format. A block is two lengths, its content compressed, and a checksum:
 *
 * <pre>
 * +---------------+----------------+----------------------------+--------------+
 * | stored length | content length | content, as zlib has it    | checksum     |
 * | 4 bytes       | 4 bytes        | stored length bytes        | 4 bytes      |
 * +---------------+----------------+----------------------------+--------------+
 * </pre>
 *
 * Numbers have their highest byte first. The checksum is the CRC-32C of everything from the first byte of the file up to it but for the checksums
 * before it: so it fits only if no block is changed, missing, twice, or in another place, and that of the last block vouches for the whole. The
 * checksums themselves are left out because a CRC that runs over its own value forgets everything before.
 */
final class ArchiveFormat {

    /** How every archive begins: not as text does, and not as it does after a change of line ends. */
    private static final byte[] MAGIC = {(byte) 0x89, 'T', 'M', 'A', '\r', '\n', 0x1a};

    /** What comes behind the magic. */
    static final byte VERSION = 1;

    /** Of magic and version. */
    static final int HEAD_BYTES = MAGIC.length + 1;

    static final int LENGTHS_BYTES = 2 * Integer.BYTES;
    static final int CHECKSUM_BYTES = Integer.BYTES;

    /** A block ends before it gets larger than this, unless it is a single record. */
    static final int USUAL_CONTENT_BYTES = 1 << 20;

    /** The content of a block: room for the largest task there can be. */
    static final int MAX_CONTENT_BYTES = 32 << 20;

    /** The same compressed, when that makes it larger. */
    static final int MAX_STORED_BYTES = 33 << 20;

    private ArchiveFormat() {}

    static byte[] magic() {
        return MAGIC.clone();
    }
}
