package io.taskmaster.server.access;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * A new token for somebody: the secret itself, which is nowhere kept, and the line that lets the server know it. Immutable.
 *
 * @param line of the access file
 */
public record Token(String secret, String line) {

    /** What all begin with, so that people and scanners know one when they see it. */
    static final String PREFIX = "tm_";

    private static final int BYTES = 32;

    /** Of 256 random bits. */
    public static Token make(Role role, String name) {
        if (!AccessList.isName(name)) {
            throw new IllegalArgumentException(
                    "name: " + name + " (expected: up to 64 letters, digits, ., _, @ and -)");
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
