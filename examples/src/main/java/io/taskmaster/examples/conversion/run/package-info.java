/** The conversion as a demo: the documents, and how far they are. */
@NullMarked
package io.taskmaster.examples.conversion.run;

import org.jspecify.annotations.NullMarked;
