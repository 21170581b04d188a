/** The snippets of the guides, run. */
@NullMarked
package io.taskmaster.testkit.guide;

import org.jspecify.annotations.NullMarked;
