package io.taskmaster.proxy.json;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;

/** Refusals of unusable JSON. The caller's text is shortened, since it may be megabytes. Thread-safe: stateless. */
final class Refusals {

    private static final int MAX_SHOWN = 100;

    private Refusals() {}

    /** Refuses a field that is well-formed JSON, but does not fit the contract. */
    static TaskMasterException field(String path, String value, String expected) {
        return refusal(ErrorCode.INVALID_FIELD, path, value, expected);
    }

    static TaskMasterException field(String path, BadValueException bad) {
        return field(path, bad.value(), bad.expected());
    }

    /** Refuses a text that is not JSON at all. */
    static TaskMasterException malformed(String path, String value) {
        return refusal(ErrorCode.BAD_JSON, path, value, "one JSON object (RFC 8259) in UTF-8");
    }

    private static TaskMasterException refusal(ErrorCode code, String path, String value, String expected) {
        return TaskMasterException.withoutStackTrace(
                code, shortened(path) + ": " + shortened(value) + " (expected: " + expected + ")", null, null);
    }

    private static String shortened(String text) {
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + " …";
    }
}
