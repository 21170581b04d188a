/**
 * The ads-quality flow (paper section 7). Sets of queries flow through FIFO pipelines, and a task in a coordination
 * queue leads each set to the next phase when the pipeline of the present one has drained. This package holds the
 * command, on top of the parts.
 */
@NullMarked
package io.taskmaster.examples.adsquality;

import org.jspecify.annotations.NullMarked;
