/** Common parts of fuzz tests: seeds, mutations, and the requirements on decoders. */
@NullMarked
package io.taskmaster.server.fuzz;

import org.jspecify.annotations.NullMarked;
