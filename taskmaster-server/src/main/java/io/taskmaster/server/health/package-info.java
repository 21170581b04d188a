/** How well a node is, in words that every face can show. */
@NullMarked
package io.taskmaster.server.health;

import org.jspecify.annotations.NullMarked;
