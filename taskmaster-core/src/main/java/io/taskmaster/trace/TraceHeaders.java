package io.taskmaster.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.Map;

/**
 * The headers {@code traceparent} and {@code tracestate} among those of a task. Headers that the author of the task has
 * set stay as they are. A trace never makes a task too large: what does not fit is left out, {@code tracestate} first.
 * The limit is that of the contract, less the headers of a dead letter, which must not lose its own headers because of
 * a trace. Stateless.
 */
public final class TraceHeaders {

    /** The header with the trace, and the span that the task comes from. */
    public static final String PARENT = "traceparent";

    /** The header with the additions of tracing systems. */
    public static final String STATE = "tracestate";

    /** The maximum number of headers with a trace, out of the 64 that a task may have. */
    static final int MAX_ENTRIES = 64 - 3;

    /** The maximum size of headers with a trace, out of the 8 KiB of UTF-8 that a task may have. */
    static final int MAX_BYTES = (8 << 10) - 2_560;

    private TraceHeaders() {}

    /**
     * Returns the headers of a task, with the trace if they name none.
     *
     * @param trace the headers that carry it, possibly among others
     */
    public static Map<String, String> with(Map<String, String> headers, Map<String, String> trace) {
        if (headers.containsKey(PARENT) || !trace.containsKey(PARENT)) {
            return headers;
        }
        Map<String, String> both = new HashMap<>(headers);
        // Without its parent the state is meaningless.
        both.remove(STATE);
        if (!add(both, PARENT, trace)) {
            return headers;
        }
        add(both, STATE, trace);
        return both;
    }

    /** Adds a header, if it exists and fits. Returns whether it was added. */
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
