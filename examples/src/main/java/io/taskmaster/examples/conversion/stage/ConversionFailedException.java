package io.taskmaster.examples.conversion.stage;

/** A converter did not do it, or died of it; the message says what is known. */
public final class ConversionFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    public ConversionFailedException(String message) {
        super(message);
    }
}
