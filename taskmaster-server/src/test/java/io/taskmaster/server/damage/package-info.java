/** What becomes of a server whose files are damaged while it is down, and of one whose disk is full. */
@NullMarked
package io.taskmaster.server.damage;

import org.jspecify.annotations.NullMarked;
