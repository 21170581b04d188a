/** What fuzz tests share: seeds, mutations, and what is asked of a decoder. */
@NullMarked
package io.taskmaster.server.fuzz;

import org.jspecify.annotations.NullMarked;
