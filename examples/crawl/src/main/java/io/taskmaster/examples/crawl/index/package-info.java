/** The index: a Lucene directory with one document per page, written by the last stage and read by searches. */
@NullMarked
package io.taskmaster.examples.crawl.index;

import org.jspecify.annotations.NullMarked;
