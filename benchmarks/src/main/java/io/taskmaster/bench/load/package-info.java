/**
 * An asynchronous closed loop: a fixed number of operations in flight over a few connections, without a thread per
 * request.
 */
@NullMarked
package io.taskmaster.bench.load;

import org.jspecify.annotations.NullMarked;
