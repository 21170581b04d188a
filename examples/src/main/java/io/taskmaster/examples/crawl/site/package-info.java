/** The site that is crawled: the Javadoc of Guava, served from its artifact over real HTTP. */
@NullMarked
package io.taskmaster.examples.crawl.site;

import org.jspecify.annotations.NullMarked;
