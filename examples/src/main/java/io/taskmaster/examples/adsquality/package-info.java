/**
 * The quality of ads (paper section 7): sets of queries flow through FIFO pipelines, and a task in a coordination queue leads each set from one
 * phase to the next when the pipeline of the one before has drained. This package holds the queues and the demo.
 */
@NullMarked
package io.taskmaster.examples.adsquality;

import org.jspecify.annotations.NullMarked;
