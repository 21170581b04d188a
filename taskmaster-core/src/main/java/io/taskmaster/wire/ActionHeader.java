package io.taskmaster.wire;

import io.grpc.Metadata;
import java.util.regex.Pattern;

/** Says of a call what somebody does by it, an administrator as a rule: {@code redrive}, say. An update that says so goes on record at the server, whatever it changes. Stateless. */
public final class ActionHeader {

    /** Over gRPC, and over HTTP in any spelling. */
    public static final String NAME = "taskmaster-action";

    /** The value of one. */
    public static final Metadata.Key<String> KEY = Metadata.Key.of(NAME, Metadata.ASCII_STRING_MARSHALLER);

    private static final Pattern ACTION = Pattern.compile("[\\x21-\\x7e]{1,100}");

    private ActionHeader() {}

    /** The action, if it can be sent. */
    public static String checked(String action) {
        if (!ACTION.matcher(action).matches()) {
            throw new IllegalArgumentException(
                    "action: " + action + " (expected: 1 to 100 printable ASCII characters, no spaces)");
        }
        return action;
    }
}
