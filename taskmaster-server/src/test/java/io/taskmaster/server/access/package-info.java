/** Tests of who may do what. */
@NullMarked
package io.taskmaster.server.access;

import org.jspecify.annotations.NullMarked;
