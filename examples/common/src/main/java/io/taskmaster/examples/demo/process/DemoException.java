package io.taskmaster.examples.demo.process;

/** The failure of a demo. The message explains it for people. */
public final class DemoException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public DemoException(String message) {
        super(message);
    }
}
