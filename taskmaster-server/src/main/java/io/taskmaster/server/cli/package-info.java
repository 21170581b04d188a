/**
 * The command line {@code taskmaster}: the server, client commands, and their output as text and JSON. Built with
 * picocli.
 */
@NullMarked
package io.taskmaster.server.cli;

import org.jspecify.annotations.NullMarked;
