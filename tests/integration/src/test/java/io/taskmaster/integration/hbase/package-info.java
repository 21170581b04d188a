/** Tests on the development HBase. */
@NullMarked
package io.taskmaster.integration.hbase;

import org.jspecify.annotations.NullMarked;
