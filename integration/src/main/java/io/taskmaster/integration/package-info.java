/** Tests of the server on a real HBase, each part of which they kill, freeze, move and restart. */
@NullMarked
package io.taskmaster.integration;

import org.jspecify.annotations.NullMarked;
