/** Mappers between messages of the contract and commands and replies, with the checks of every field and limit. */
@NullMarked
package io.taskmaster.server.rpc.mapping;

import org.jspecify.annotations.NullMarked;
