/**
 * Access control and audit: identities of callers, their roles, one table of rules for all endpoints of both ports, and
 * the log of administrative actions.
 */
@NullMarked
package io.taskmaster.proxy.access;

import org.jspecify.annotations.NullMarked;
