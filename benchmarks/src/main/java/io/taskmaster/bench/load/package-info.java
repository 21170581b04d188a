/** An asynchronous closed loop: a fixed number of outstanding operations over a few connections, without a thread per request. */
@NullMarked
package io.taskmaster.bench.load;

import org.jspecify.annotations.NullMarked;
