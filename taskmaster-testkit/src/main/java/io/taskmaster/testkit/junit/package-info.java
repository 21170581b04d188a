/** The server of the test kit for tests with JUnit 5, each judged by the oracle. */
@NullMarked
package io.taskmaster.testkit.junit;

import org.jspecify.annotations.NullMarked;
