/** The conversion as a demo: its documents and its progress. */
@NullMarked
package io.taskmaster.examples.conversion.run;

import org.jspecify.annotations.NullMarked;
