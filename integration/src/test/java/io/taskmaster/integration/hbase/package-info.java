/** The development HBase itself. */
@NullMarked
package io.taskmaster.integration.hbase;

import org.jspecify.annotations.NullMarked;
