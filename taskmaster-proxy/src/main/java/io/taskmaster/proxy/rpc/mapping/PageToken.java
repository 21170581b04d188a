package io.taskmaster.proxy.rpc.mapping;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.config.Limits;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The position at which a listing continues: behind the last queue of the page before. It is opaque to clients, and
 * valid on any node and after any restart, because it holds nothing else. The bytes, in URL-safe Base64: version (1
 * byte), CRC-32C of the rest (4 bytes), length of the group (2 bytes), group, name. The checksum protects against
 * accidents, not against malice: a forged token only names a position to start from. Thread-safe: stateless.
 */
public final class PageToken {

    private static final byte VERSION = 1;
    private static final int CRC_AT = 1;
    private static final int FRONT_AT = CRC_AT + Integer.BYTES;
    /** The bound for any kind of token. */
    private static final int MAX_FRONT_BYTES = 16;

    private static final int MAX_BYTES = FRONT_AT + MAX_FRONT_BYTES + Short.BYTES + 2 * Limits.NAME_BYTES;
    private static final int MAX_CHARACTERS = (MAX_BYTES * 4 + 2) / 3;

    private PageToken() {}

    public static String of(QueueKey last) {
        return seal(VERSION, new byte[0], last);
    }

    /** Returns the queue behind which to continue; absent for an empty token. */
    static Optional<QueueKey> parse(String token) {
        return token.isEmpty() ? Optional.empty() : Optional.of(queueOf(open(VERSION, token), token));
    }

    /**
     * Encodes a token.
     *
     * @param version the kind of the token
     * @param front the content of this kind before the queue
     */
    static String seal(byte version, byte[] front, QueueKey last) {
        byte[] group = last.group().unsafeArray();
        byte[] name = last.name().unsafeArray();
        var bytes = ByteBuffer.allocate(FRONT_AT + front.length + Short.BYTES + group.length + name.length);
        // The checksum covers only what follows it, so its place can be filled at the end.
        bytes.put(version).putInt(0).put(front);
        bytes.putShort((short) group.length).put(group).put(name);
        bytes.putInt(CRC_AT, checksum(bytes.array()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** Decodes a token of a kind, positioned at its front. Throws {@code BAD_PAGE_TOKEN} for any other. */
    static ByteBuffer open(byte version, String token) {
        if (token.length() > MAX_CHARACTERS) {
            throw bad(token.length() + " characters");
        }
        byte[] array = decode(token);
        var bytes = ByteBuffer.wrap(array);
        if (array.length < FRONT_AT || bytes.get() != version || bytes.getInt() != checksum(array)) {
            throw bad(token);
        }
        return bytes;
    }

    /** Reads the queue, which is the rest of a token. */
    static QueueKey queueOf(ByteBuffer bytes, String token) {
        if (bytes.remaining() < Short.BYTES) {
            throw bad(token);
        }
        int groupLength = Short.toUnsignedInt(bytes.getShort());
        int nameLength = bytes.remaining() - groupLength;
        if (groupLength > Limits.NAME_BYTES || nameLength < 1 || nameLength > Limits.NAME_BYTES) {
            throw bad(token);
        }
        byte[] group = new byte[groupLength];
        byte[] name = new byte[nameLength];
        bytes.get(group).get(name);
        return new QueueKey(GroupName.wrap(group), QueueName.wrap(name));
    }

    static TaskMasterException bad(String token) {
        return Fields.invalid(
                ErrorCode.BAD_PAGE_TOKEN, "page_token", token, "next_page_token of the previous page, unchanged");
    }

    private static byte[] decode(String token) {
        try {
            return Base64.getUrlDecoder().decode(token.getBytes(US_ASCII));
        } catch (IllegalArgumentException e) {
            throw bad(token);
        }
    }

    private static int checksum(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes, FRONT_AT, bytes.length - FRONT_AT);
        return (int) crc.getValue();
    }
}
