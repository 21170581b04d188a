/** Tokens that circulate through queues under faults; their number is conserved. */
@NullMarked
package io.taskmaster.harness.chaos.token;

import org.jspecify.annotations.NullMarked;
