/**
 * The command line {@code taskmaster}: client commands, their output as text and JSON, and commands that other modules
 * add, the server among them. Built with picocli.
 */
@NullMarked
package io.taskmaster.cli;

import org.jspecify.annotations.NullMarked;
