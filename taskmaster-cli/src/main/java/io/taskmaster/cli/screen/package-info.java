/**
 * A full-screen terminal, drawn by a command and read for keys. Only {@link io.taskmaster.cli.screen.LiveScreen} uses
 * the terminal library.
 */
@NullMarked
package io.taskmaster.cli.screen;

import org.jspecify.annotations.NullMarked;
