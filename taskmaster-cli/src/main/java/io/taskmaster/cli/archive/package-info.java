/** Commands that export queues to archives and import them. */
@NullMarked
package io.taskmaster.cli.archive;

import org.jspecify.annotations.NullMarked;
