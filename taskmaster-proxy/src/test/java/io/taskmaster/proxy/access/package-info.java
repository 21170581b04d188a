/** Tests of access control and audit. */
@NullMarked
package io.taskmaster.proxy.access;

import org.jspecify.annotations.NullMarked;
