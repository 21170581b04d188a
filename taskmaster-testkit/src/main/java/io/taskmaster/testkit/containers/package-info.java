/**
 * TaskMaster and HBase in containers, which can be killed, frozen, cut off and restarted with the same data: for suites
 * that use Testcontainers already, or that need a server in a process of its own.
 */
@NullMarked
package io.taskmaster.testkit.containers;

import org.jspecify.annotations.NullMarked;
