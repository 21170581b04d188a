/** The stages: what each does with a task, and the loop that leases, works and hands off. */
@NullMarked
package io.taskmaster.examples.crawl.stage;

import org.jspecify.annotations.NullMarked;
