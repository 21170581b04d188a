/**
 * The paper's first application (section 7): a crawl that is fetched, extracted, linked and indexed through queues. This package
 * holds the words that every part shares, and the command.
 */
@NullMarked
package io.taskmaster.examples.crawl;

import org.jspecify.annotations.NullMarked;
