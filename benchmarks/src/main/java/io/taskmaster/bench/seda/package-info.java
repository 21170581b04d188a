/**
 * The experiments of the SEDA paper on local stages, and others of their kind: settings that controllers find, compared
 * with fixed ones. No server takes part. An {@link io.taskmaster.bench.seda.Experiment} consists of
 * {@linkplain io.taskmaster.bench.seda.StageRun runs} of one stage under a {@link io.taskmaster.bench.seda.Feed} that
 * does not wait for it; {@link io.taskmaster.bench.seda.SocketScale} measures sockets, whose peers are in another
 * process.
 */
@NullMarked
package io.taskmaster.bench.seda;

import org.jspecify.annotations.NullMarked;
