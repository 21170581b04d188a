package io.taskmaster.client;

import io.taskmaster.model.Bytes;

/**
 * An id of one update, chosen by its sender, under which the server remembers that it was applied. The same update with
 * the same id is not applied again within the dedup window (2 minutes by default), and gets its first reply again.
 * Refused updates are not remembered. An id belongs to a group and to one update: another update with the same id would
 * get the reply of the first. Immutable.
 *
 * @param value 1 to {@value #MAX_BYTES} bytes
 */
public record RequestId(Bytes value) {

    /** The maximum length of an id, in bytes. */
    public static final int MAX_BYTES = 64;

    public RequestId {
        if (value.isEmpty() || value.size() > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "requestId: %d bytes (expected: 1 to %d)".formatted(value.size(), MAX_BYTES));
        }
    }

    /** Returns the id of the UTF-8 bytes of a text. */
    public static RequestId of(String text) {
        return new RequestId(Bytes.of(text));
    }

    /** Returns the text if the bytes are UTF-8, otherwise {@code base64:} and their Base64 form. */
    @Override
    public String toString() {
        return value.toString();
    }
}
