/**
 * What is on its way to a store over a network: bounded, in turns, gathered into batches, and each thing ended in our terms. Nothing here knows
 * which store it is.
 *
 * <pre>
 *   Flights      so much at most is on its way, beyond it is refused; closed in good order
 *   Turnstile    so many calls at most are out, beyond it they wait in line
 *   Gathering    so many batches at most are out, beyond it changes gather into the next
 *      all of them share what there is between Lanes by Shares, so that a server that hangs holds up what goes to it and nothing else
 * </pre>
 */
@NullMarked
package io.taskmaster.server.store.hbase.traffic;

import org.jspecify.annotations.NullMarked;
