/**
 * The converters: processes that turn HTML into Markdown, one document at a time, and crash at some; and their pool.
 */
@NullMarked
package io.taskmaster.examples.conversion.converter;

import org.jspecify.annotations.NullMarked;
