/** The worker process of the conversion, with its converters. */
@NullMarked
package io.taskmaster.examples.conversion.worker;

import org.jspecify.annotations.NullMarked;
