package io.taskmaster.testkit.oracle.model;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;

/** A rendering of bytes for findings: text as it is, other bytes escaped, at most 60 bytes. */
public final class Rendering {

    private static final int MAX_BYTES = 60;

    private Rendering() {}

    public static String bytes(ByteString bytes) {
        String text = TextFormat.escapeBytes(bytes.substring(0, Math.min(bytes.size(), MAX_BYTES)));
        return bytes.size() <= MAX_BYTES ? text : text + "…";
    }
}
