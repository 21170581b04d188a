/** The command {@code taskmaster hbase}. */
@NullMarked
package io.taskmaster.harness.hbase.cli;

import org.jspecify.annotations.NullMarked;
