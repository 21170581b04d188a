/** The child processes of the demo, seen from inside: a worker of one stage, or the server, each tied to the life of its parent. */
@NullMarked
package io.taskmaster.examples.crawl.worker;

import org.jspecify.annotations.NullMarked;
