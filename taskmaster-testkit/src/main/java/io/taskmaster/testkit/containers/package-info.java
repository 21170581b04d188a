/**
 * TaskMaster and HBase in containers, which are killed, frozen, cut off and brought back as the same; for suites that use Testcontainers
 * anyway, or whose server has to be a real one.
 */
@NullMarked
package io.taskmaster.testkit.containers;

import org.jspecify.annotations.NullMarked;
