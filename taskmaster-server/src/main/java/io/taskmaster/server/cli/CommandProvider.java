package io.taskmaster.server.cli;

/** A command that another module brings to {@code taskmaster}; found with {@link java.util.ServiceLoader}. */
public interface CommandProvider {

    /** The word after {@code taskmaster}. */
    String name();

    /** A fresh object with picocli's annotations; what it returns, or throws, becomes the exit status. */
    Object command();
}
