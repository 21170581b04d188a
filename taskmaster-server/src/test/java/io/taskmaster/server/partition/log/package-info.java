/** Tests of the commit log. */
@NullMarked
package io.taskmaster.server.partition.log;

import org.jspecify.annotations.NullMarked;
