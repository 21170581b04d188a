/** Runs the store of TaskMaster on Google's emulator of Cloud Bigtable: what holds on HBase must hold there, or be refused. */
@NullMarked
package io.taskmaster.bigtable;

import org.jspecify.annotations.NullMarked;
