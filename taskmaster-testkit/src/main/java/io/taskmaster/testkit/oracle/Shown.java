package io.taskmaster.testkit.oracle;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;

/** Bytes as findings show them: text as it is, the rest escaped, and not too long. */
final class Shown {

    private static final int MAX_BYTES = 60;

    private Shown() {}

    static String bytes(ByteString bytes) {
        String text = TextFormat.escapeBytes(bytes.substring(0, Math.min(bytes.size(), MAX_BYTES)));
        return bytes.size() <= MAX_BYTES ? text : text + "…";
    }
}
