/** Conventions that the tests of all modules share. */
@NullMarked
package io.taskmaster.tests;

import org.jspecify.annotations.NullMarked;
