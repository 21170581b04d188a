/** The pipeline, and what each of its stages does with a task. */
@NullMarked
package io.taskmaster.examples.crawl.stage;

import org.jspecify.annotations.NullMarked;
