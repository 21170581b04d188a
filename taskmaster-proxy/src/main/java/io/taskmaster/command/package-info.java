/**
 * Commands and replies of partitions: what the ports, which map the contract to them, and the engine, which decides on
 * them, have in common.
 */
@NullMarked
package io.taskmaster.command;

import org.jspecify.annotations.NullMarked;
