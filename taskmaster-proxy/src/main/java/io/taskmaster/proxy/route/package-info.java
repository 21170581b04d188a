/** The way from a port to the partitions, wherever they are: commands in, replies out. */
@NullMarked
package io.taskmaster.proxy.route;

import org.jspecify.annotations.NullMarked;
