package io.taskmaster.proxy.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of a token: all that a server keeps of it. Tokens have 256 random bits, so they cannot be found by trial,
 * and a deliberately slow hash would add cost to each request without adding protection. Immutable.
 *
 * <p>Equality takes the same time wherever two hashes differ. A table of hashes leaks, by its timing, only facts about
 * hashes, which a caller cannot choose.
 */
final class TokenHash {

    private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{64}");

    private final byte[] hash;

    private TokenHash(byte[] hash) {
        this.hash = hash;
    }

    static TokenHash of(String token) {
        try {
            return new TokenHash(MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JVM has it", e);
        }
    }

    /** Parses 64 hexadecimal digits; empty for anything else. */
    static Optional<TokenHash> parse(String hex) {
        return HEX.matcher(hex).matches()
                ? Optional.of(new TokenHash(HexFormat.of().parseHex(hex)))
                : Optional.empty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TokenHash that && MessageDigest.isEqual(hash, that.hash);
    }

    @Override
    public int hashCode() {
        return ByteBuffer.wrap(hash).getInt();
    }

    /** Returns the hash in hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(hash);
    }
}
