package io.taskmaster.stage.net;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The messages of a connection that are decoded and not offered yet. Single-threaded: owned by the connection. */
final class HeldMessages {

    private final Deque<Message> messages = new ArrayDeque<>(1);
    private long bytes;

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** The sum of their payloads, in bytes. */
    long bytes() {
        return bytes;
    }

    void add(Message message) {
        messages.add(message);
        bytes += message.payload().size();
    }

    /** Returns the first of them; null if there is none. */
    @Nullable
    Message first() {
        return messages.peek();
    }

    void removeFirst() {
        bytes -= messages.remove().payload().size();
    }

    void clear() {
        messages.clear();
        bytes = 0;
    }
}
