/** The executable specification: what commands mean, on plain sorted maps, read straight from the contract and nothing else. */
@NullMarked
package io.taskmaster.server.engine.naive;

import org.jspecify.annotations.NullMarked;
