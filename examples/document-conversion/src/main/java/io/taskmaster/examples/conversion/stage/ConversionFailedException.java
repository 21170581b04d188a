package io.taskmaster.examples.conversion.stage;

/** The failure of a conversion, or the death of its converter. The message has the details. */
public final class ConversionFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    public ConversionFailedException(String message) {
        super(message);
    }
}
