/** Requests on their way, the journal that their changes go to, and the replies that wait until it is durable. */
@NullMarked
package io.taskmaster.server.partition.commit;

import org.jspecify.annotations.NullMarked;
