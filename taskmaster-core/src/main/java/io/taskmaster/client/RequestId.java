package io.taskmaster.client;

import io.taskmaster.model.Bytes;

/**
 * The name of one update, given by its sender, under which the server remembers that it was applied: the same update with the
 * same id is not applied again within the deduplication window (2 minutes unless the server is set otherwise), and gets its first
 * reply again. Updates that were refused are not remembered. An id belongs to a group, and to one update for ever: another update
 * with the same id would get the reply of the first. Immutable.
 *
 * @param value from 1 to {@value #MAX_BYTES} bytes
 */
public record RequestId(Bytes value) {

    /** How long an id may be, in bytes. */
    public static final int MAX_BYTES = 64;

    public RequestId {
        if (value.isEmpty() || value.size() > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "requestId: %d bytes (expected: 1 to %d)".formatted(value.size(), MAX_BYTES));
        }
    }

    /** The UTF-8 bytes of a text. */
    public static RequestId of(String text) {
        return new RequestId(Bytes.of(text));
    }

    /** The text if the bytes are UTF-8, otherwise {@code base64:} and their Base64 form. */
    @Override
    public String toString() {
        return value.toString();
    }
}
