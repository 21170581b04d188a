/** Tests of the web page in a real browser, on real servers. */
@NullMarked
package io.taskmaster.page;

import org.jspecify.annotations.NullMarked;
