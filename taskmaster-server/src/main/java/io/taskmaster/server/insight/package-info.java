/** What a node sees of itself while it works, and what it remembers of that. */
@NullMarked
package io.taskmaster.server.insight;

import org.jspecify.annotations.NullMarked;
