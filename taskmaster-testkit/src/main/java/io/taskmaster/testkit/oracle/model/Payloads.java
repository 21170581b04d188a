package io.taskmaster.testkit.oracle.model;

import com.google.protobuf.ByteString;
import java.util.HashMap;
import java.util.Map;

/** A numbering of payloads (data and headers), so that tasks can be compared quickly. Single-threaded. */
public final class Payloads {

    /** The number of the payload of a task that was seen without its data. */
    public static final int NOT_SHOWN = -2;

    /** The data and headers of a task. */
    private record Payload(ByteString data, Map<String, String> headers) {}

    private final Map<Payload, Integer> numbers = new HashMap<>();

    int number(ByteString data, Map<String, String> headers) {
        return numbers.computeIfAbsent(new Payload(data, headers), payload -> numbers.size());
    }
}
