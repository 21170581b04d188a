/** Tests of the cluster's cells. */
@NullMarked
package io.taskmaster.server.cluster;

import org.jspecify.annotations.NullMarked;
