/** The converters: processes that turn HTML into Markdown, one document at a time, and die of some; and the pool that keeps them. */
@NullMarked
package io.taskmaster.examples.conversion.converter;

import org.jspecify.annotations.NullMarked;
