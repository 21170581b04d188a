/**
 * Tests of TaskMaster's store on Google's emulator of Cloud Bigtable: operations that work on HBase must work there, or
 * be refused.
 */
@NullMarked
package io.taskmaster.bigtable;

import org.jspecify.annotations.NullMarked;
