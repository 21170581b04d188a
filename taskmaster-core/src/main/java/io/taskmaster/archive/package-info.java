/**
 * The archive of queues in a file: a compressed format with checksums, written and read as a stream.
 * docs/archive-format.md describes its bytes.
 */
@NullMarked
package io.taskmaster.archive;

import org.jspecify.annotations.NullMarked;
