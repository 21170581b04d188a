/**
 * The paper's first application (section 7): a crawl whose pages are fetched, extracted, linked and indexed through
 * queues. This package holds the command, on top of the parts.
 */
@NullMarked
package io.taskmaster.examples.crawl;

import org.jspecify.annotations.NullMarked;
