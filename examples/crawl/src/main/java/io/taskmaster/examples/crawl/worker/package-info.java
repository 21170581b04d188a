/** The child processes of the crawl from inside: a worker of one stage. */
@NullMarked
package io.taskmaster.examples.crawl.worker;

import org.jspecify.annotations.NullMarked;
