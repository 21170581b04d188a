/** Calls that go to several partitions: fan-out, batches, leases over all groups, and the merging of their replies. */
@NullMarked
package io.taskmaster.proxy.rpc.scatter;

import org.jspecify.annotations.NullMarked;
