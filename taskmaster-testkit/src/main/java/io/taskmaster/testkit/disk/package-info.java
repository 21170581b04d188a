/** A disk that fails and loses power on demand, under a server in a process of its own. */
@NullMarked
package io.taskmaster.testkit.disk;

import org.jspecify.annotations.NullMarked;
