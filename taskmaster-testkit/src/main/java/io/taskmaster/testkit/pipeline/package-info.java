/**
 * Tests of pipelines in one thread, in virtual time and from one seed. The pipeline, its workers, the client and the
 * server are the real ones; time, chance, the network and the store are simulated. Begin with
 * {@link io.taskmaster.testkit.pipeline.PipelineKit}.
 */
@NullMarked
package io.taskmaster.testkit.pipeline;

import org.jspecify.annotations.NullMarked;
