/** Bytes and the engine's model: row keys, cells, records and atoms, as they are stored. Golden files in the tests hold the formats. */
@NullMarked
package io.taskmaster.server.format;

import org.jspecify.annotations.NullMarked;
