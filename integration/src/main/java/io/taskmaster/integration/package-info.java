/** Runs the server on a real HBase, every part of which the tests kill, freeze, move and start again. */
@NullMarked
package io.taskmaster.integration;

import org.jspecify.annotations.NullMarked;
