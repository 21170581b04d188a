/** Tests of access control and audit. */
@NullMarked
package io.taskmaster.server.access;

import org.jspecify.annotations.NullMarked;
