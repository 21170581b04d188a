package io.taskmaster.examples.demo;

/** The provider of a demo to the command line of all demos, which is assembled above the framework. */
public interface DemoProvider {

    /** The word after {@code taskmaster demo}; unused by the demo that runs without one. */
    String name();

    /**
     * Returns a new object with picocli's annotations. Its result, or exception, becomes the exit status. Among its
     * subcommands are those of its worker processes.
     *
     * @param program the main class of the processes that the demo starts, which runs the command line of all demos
     */
    Object command(Class<?> program);
}
