/**
 * The executable specification: the meaning of commands on plain sorted maps, derived from the contract and nothing
 * else.
 */
@NullMarked
package io.taskmaster.server.engine.naive;

import org.jspecify.annotations.NullMarked;
