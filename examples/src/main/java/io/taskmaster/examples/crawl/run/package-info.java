/** The crawl as a demo: what it has done so far, and how that is shown. */
@NullMarked
package io.taskmaster.examples.crawl.run;

import org.jspecify.annotations.NullMarked;
