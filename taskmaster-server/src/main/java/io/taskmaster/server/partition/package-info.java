/** One partition at work: mailbox, window refills, commit log, flush rounds, recovery. */
@NullMarked
package io.taskmaster.server.partition;

import org.jspecify.annotations.NullMarked;
