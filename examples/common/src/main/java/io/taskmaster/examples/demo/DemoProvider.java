package io.taskmaster.examples.demo;

/** The provider of a demo to the command line of all demos; found with {@link java.util.ServiceLoader}. */
public interface DemoProvider {

    /** The word after {@code taskmaster demo}; unused by the default demo, which runs without one. */
    String name();

    /** Returns whether this is the default demo, of which a class path has at most one. */
    default boolean isDefault() {
        return false;
    }

    /**
     * Returns a new object with picocli's annotations. Its result, or exception, becomes the exit status. Among its
     * subcommands are those of its worker processes.
     *
     * @param program the main class of the processes that the demo starts, which runs the command line of all demos
     */
    Object command(Class<?> program);
}
