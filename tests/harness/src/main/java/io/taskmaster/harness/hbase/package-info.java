/**
 * A development HBase: NameNode, DataNode, ZooKeeper, master and region servers as processes of their own on this
 * machine, for tests that kill and freeze them one by one, and for {@code taskmaster hbase}. This package knows no more
 * of them than the names of their programs, and the folder of their jars.
 */
@NullMarked
package io.taskmaster.harness.hbase;

import org.jspecify.annotations.NullMarked;
