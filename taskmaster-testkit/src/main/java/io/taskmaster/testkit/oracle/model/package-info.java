/** The model of a history: operations and their effects, by queue and by task. */
@NullMarked
package io.taskmaster.testkit.oracle.model;

import org.jspecify.annotations.NullMarked;
