/**
 * Servers for tests with JUnit 5: in the process of the test, with each test judged by the oracle; and in containers.
 */
@NullMarked
package io.taskmaster.testkit.junit;

import org.jspecify.annotations.NullMarked;
