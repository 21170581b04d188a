/**
 * The flow control of a store over a network: operations are bounded, scheduled fairly, gathered into batches, and each
 * ends with a value or a {@link io.taskmaster.server.store.StoreException}. Independent of the kind of store.
 *
 * <pre>
 *   CallsInFlight bounds what is in flight, refuses what is beyond; closes in good order
 *   CallLimiter   bounds concurrent calls, queues what is beyond
 *   BatchQueue    bounds batches in flight; changes beyond gather into the next batch
 *      all of them divide their limits between CallLanes by LaneShares, so that a server that hangs
 *      delays calls to it and no others
 * </pre>
 */
@NullMarked
package io.taskmaster.server.store.hbase.traffic;

import org.jspecify.annotations.NullMarked;
