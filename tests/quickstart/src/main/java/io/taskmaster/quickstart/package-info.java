/** Tests of the published artifacts, and of the quickstart built from them alone. */
@NullMarked
package io.taskmaster.quickstart;

import org.jspecify.annotations.NullMarked;
