/**
 * The stored formats of the engine's model: row keys, cells, records and atoms. Golden files in the tests pin the
 * formats.
 */
@NullMarked
package io.taskmaster.server.format;

import org.jspecify.annotations.NullMarked;
