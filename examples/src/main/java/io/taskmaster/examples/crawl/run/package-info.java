/** A run of the demo: the child processes and their keeper, what they have done so far, and how it is shown. */
@NullMarked
package io.taskmaster.examples.crawl.run;

import org.jspecify.annotations.NullMarked;
