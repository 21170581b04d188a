package io.taskmaster.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;

/**
 * The headers that carry a trace, {@code traceparent} and {@code tracestate}, among those of a task. What its author says of the trace
 * stays as it is, and a trace never makes a task too large: what there is no room for is left out, {@code tracestate} first. Room is what the
 * contract allows, less what a dead letter adds, for that is not to lose its headers over a trace.
 */
public final class TraceHeaders {

    /** The trace, and the span in it that the task comes from. */
    public static final String PARENT = "traceparent";

    /** What tracing systems add to that. */
    public static final String STATE = "tracestate";

    /** Of the 64 that a task may have. */
    static final int MAX_ENTRIES = 64 - 3;

    /** Of the 8 KiB of UTF-8 that a task may have. */
    static final int MAX_BYTES = (8 << 10) - 2_560;

    private TraceHeaders() {}

    /**
     * Headers of a task, with a trace if they name none.
     *
     * @param trace headers that carry it, among others or not
     */
    public static Map<String, String> with(Map<String, String> headers, Map<String, String> trace) {
        if (headers.containsKey(PARENT) || !trace.containsKey(PARENT)) {
            return headers;
        }
        Map<String, String> both = new HashMap<>(headers);
        // Without its parent it says nothing.
        both.remove(STATE);
        if (!add(both, PARENT, trace)) {
            return headers;
        }
        boolean _ = add(both, STATE, trace);
        return both;
    }

    /** Whether there was something to add, and room for it. */
    private static boolean add(Map<String, String> headers, String name, Map<String, String> trace) {
        String value = trace.get(name);
        if (value == null
                || headers.size() >= MAX_ENTRIES
                || bytesOf(headers) + name.length() + bytesOf(value) > MAX_BYTES) {
            return false;
        }
        headers.put(name, value);
        return true;
    }

    private static long bytesOf(Map<String, String> headers) {
        long bytes = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            bytes += bytesOf(header.getKey()) + bytesOf(header.getValue());
        }
        return bytes;
    }

    private static long bytesOf(String text) {
        return text.getBytes(UTF_8).length;
    }
}
