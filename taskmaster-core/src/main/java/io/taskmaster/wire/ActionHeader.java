package io.taskmaster.wire;

import io.grpc.Metadata;
import java.util.regex.Pattern;

/**
 * A header of a call that names the action behind it, usually an administrator's, such as {@code redrive}. The server
 * records an update with this header in its audit log, whatever it changes. Stateless.
 */
public final class ActionHeader {

    /** The name of the header over gRPC; over HTTP in any case. */
    public static final String NAME = "taskmaster-action";

    /** The key of the header in gRPC metadata. */
    public static final Metadata.Key<String> KEY = Metadata.Key.of(NAME, Metadata.ASCII_STRING_MARSHALLER);

    private static final Pattern ACTION = Pattern.compile("[\\x21-\\x7e]{1,100}");

    private ActionHeader() {}

    /**
     * Returns the action if it is valid.
     *
     * @throws IllegalArgumentException unless it is 1 to 100 printable ASCII characters without spaces
     */
    public static String checked(String action) {
        if (!ACTION.matcher(action).matches()) {
            throw new IllegalArgumentException(
                    "action: " + action + " (expected: 1 to 100 printable ASCII characters, no spaces)");
        }
        return action;
    }
}
