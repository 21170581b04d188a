/** What a page is: its canonical URL and section, what is extracted from it, and how it travels in task data. All pure. */
@NullMarked
package io.taskmaster.examples.crawl.page;

import org.jspecify.annotations.NullMarked;
