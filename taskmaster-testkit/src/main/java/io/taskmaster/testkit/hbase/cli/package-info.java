/** The command {@code taskmaster hbase}. */
@NullMarked
package io.taskmaster.testkit.hbase.cli;

import org.jspecify.annotations.NullMarked;
