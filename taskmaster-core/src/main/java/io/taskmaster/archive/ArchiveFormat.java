package io.taskmaster.archive;

/**
 * The constants of the format. A block consists of two lengths, its compressed content, and a checksum:
 *
 * <pre>
 * +---------------+----------------+----------------------------+--------------+
 * | stored length | content length | content, as zlib has it    | checksum     |
 * | 4 bytes       | 4 bytes        | stored length bytes        | 4 bytes      |
 * +---------------+----------------+----------------------------+--------------+
 * </pre>
 *
 * <p>Numbers are big-endian. The checksum is the CRC-32C of all bytes from the first of the file up to it, except for
 * the checksums before it. So it matches only if no block is changed, missing, duplicated or moved, and that of the
 * last block covers the whole archive. The checksums themselves are left out because a CRC over its own value forgets
 * everything before it.
 */
final class ArchiveFormat {

    /** The first bytes of every archive. No text begins with them, and a conversion of line ends changes them. */
    private static final byte[] MAGIC = {(byte) 0x89, 'T', 'M', 'A', '\r', '\n', 0x1a};

    /** The version byte after the magic bytes. */
    static final byte VERSION = 1;

    /** The size of magic bytes and version. */
    static final int HEAD_BYTES = MAGIC.length + 1;

    static final int LENGTHS_BYTES = 2 * Integer.BYTES;
    static final int CHECKSUM_BYTES = Integer.BYTES;

    /** The content size at which a block ends, unless it is a single record. */
    static final int USUAL_CONTENT_BYTES = 1 << 20;

    /** The maximum content size of a block: enough for the largest task. */
    static final int MAX_CONTENT_BYTES = 32 << 20;

    /** The maximum compressed size: content that does not compress may grow. */
    static final int MAX_STORED_BYTES = 33 << 20;

    private ArchiveFormat() {}

    static byte[] magic() {
        return MAGIC.clone();
    }
}
