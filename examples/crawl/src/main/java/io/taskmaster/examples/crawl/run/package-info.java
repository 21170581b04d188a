/** The crawl as a demo: the site, served over real HTTP, its progress and its results. */
@NullMarked
package io.taskmaster.examples.crawl.run;

import org.jspecify.annotations.NullMarked;
