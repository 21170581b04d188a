/** The crawl as a demo: its progress and its results. */
@NullMarked
package io.taskmaster.examples.crawl.run;

import org.jspecify.annotations.NullMarked;
