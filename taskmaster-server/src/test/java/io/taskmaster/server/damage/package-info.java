/** Tests of servers whose files were damaged while they were down, and of servers on a full disk. */
@NullMarked
package io.taskmaster.server.damage;

import org.jspecify.annotations.NullMarked;
