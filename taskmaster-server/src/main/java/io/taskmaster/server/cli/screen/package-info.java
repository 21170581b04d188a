/**
 * A whole screen that a command draws and reads keys from. {@link io.taskmaster.server.cli.screen.LiveScreen} alone knows the terminal library.
 */
@NullMarked
package io.taskmaster.server.cli.screen;

import org.jspecify.annotations.NullMarked;
