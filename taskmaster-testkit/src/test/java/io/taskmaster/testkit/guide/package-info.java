/** The snippets of the guides, compiled and run. */
@NullMarked
package io.taskmaster.testkit.guide;

import org.jspecify.annotations.NullMarked;
