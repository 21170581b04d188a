package io.taskmaster.stage.files;

import java.io.IOException;

/** An exception for a file or a line that is larger than the order allowed. */
final class TooLargeException extends IOException {

    private static final long serialVersionUID = 1;

    TooLargeException(String subject, int maxBytes) {
        super("%s: too large (expected: at most %d bytes)".formatted(subject, maxBytes));
    }
}
