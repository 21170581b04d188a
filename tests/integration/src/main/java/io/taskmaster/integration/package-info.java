/**
 * Tests of all modules together: the server on a real HBase, each part of which they kill, freeze, move and restart;
 * workers in processes of their own; the launcher; and the demos.
 */
@NullMarked
package io.taskmaster.integration;

import org.jspecify.annotations.NullMarked;
