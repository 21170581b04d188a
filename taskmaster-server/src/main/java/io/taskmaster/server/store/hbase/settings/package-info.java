/** Settings of the store on HBase and on Bigtable. */
@NullMarked
package io.taskmaster.server.store.hbase.settings;

import org.jspecify.annotations.NullMarked;
