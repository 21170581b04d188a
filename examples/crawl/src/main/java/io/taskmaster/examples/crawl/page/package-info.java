/**
 * The pages of the crawl: their canonical URLs and sections, the content that is extracted from them, and its encoding
 * as task data. All pure.
 */
@NullMarked
package io.taskmaster.examples.crawl.page;

import org.jspecify.annotations.NullMarked;
