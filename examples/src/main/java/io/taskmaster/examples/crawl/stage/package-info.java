/** The pipeline and the handlers of its stages. */
@NullMarked
package io.taskmaster.examples.crawl.stage;

import org.jspecify.annotations.NullMarked;
