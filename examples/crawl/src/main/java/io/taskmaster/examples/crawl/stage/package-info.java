/** The pipeline of the crawl: its queues, its stages and their handlers. */
@NullMarked
package io.taskmaster.examples.crawl.stage;

import org.jspecify.annotations.NullMarked;
