/** Mappers between messages of the contract and commands and replies, with the checks of every field and limit. */
@NullMarked
package io.taskmaster.proxy.rpc.mapping;

import org.jspecify.annotations.NullMarked;
