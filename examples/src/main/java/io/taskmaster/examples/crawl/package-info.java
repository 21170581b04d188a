/**
 * The paper's first application (section 7): a crawl whose pages are fetched, extracted, linked and indexed through
 * queues. This package holds the names that all parts share, and the command.
 */
@NullMarked
package io.taskmaster.examples.crawl;

import org.jspecify.annotations.NullMarked;
