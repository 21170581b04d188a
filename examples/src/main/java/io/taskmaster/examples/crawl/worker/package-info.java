/** The child processes of the crawl, seen from inside: a worker of one stage. */
@NullMarked
package io.taskmaster.examples.crawl.worker;

import org.jspecify.annotations.NullMarked;
