/** The stored formats under test: golden files, round trips, and bytes that nobody wrote. */
@NullMarked
package io.taskmaster.server.format;

import org.jspecify.annotations.NullMarked;
