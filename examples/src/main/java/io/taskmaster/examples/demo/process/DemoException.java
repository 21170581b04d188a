package io.taskmaster.examples.demo.process;

/** The demo cannot go on; the message tells a human why. */
public final class DemoException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DemoException(String message) {
        super(message);
    }
}
