@NullMarked
package io.taskmaster.server.engine.flow;

import org.jspecify.annotations.NullMarked;
