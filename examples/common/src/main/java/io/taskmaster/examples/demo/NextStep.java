package io.taskmaster.examples.demo;

/**
 * A command to try after a demo. Immutable.
 *
 * @param command the arguments of {@code taskmaster}, or a whole command of the shell
 * @param purpose what it does, in a few words
 */
public record NextStep(String command, String purpose) {}
