/**
 * A development HBase: NameNode, DataNode, ZooKeeper, master and region servers as processes of their own on this machine, for tests
 * that kill and freeze them one by one, and for {@code taskmaster hbase}. Of them we know no more
 * than the names of their programs, and where their jars are.
 */
@NullMarked
package io.taskmaster.testkit.hbase;

import org.jspecify.annotations.NullMarked;
