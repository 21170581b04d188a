package io.taskmaster.proxy.access;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * A new token: the secret itself, which is not stored anywhere, and the line of the access file that admits it.
 * Immutable.
 *
 * @param line of the access file
 */
public record Token(String secret, String line) {

    /** The prefix of all tokens, by which people and secret scanners recognize them. */
    static final String PREFIX = "tm_";

    private static final int BYTES = 32;

    /** Creates a token of 256 random bits. */
    public static Token make(Role role, String name) {
        if (!AccessList.isName(name)) {
            throw new IllegalArgumentException("name: " + name + " (expected: 1 to 64 letters, digits, ., _, @ and -)");
        }
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String secret = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        return new Token(secret, AccessList.line(new Identity(name, role), TokenHash.of(secret)));
    }

    @Override
    public String toString() {
        return line;
    }
}
