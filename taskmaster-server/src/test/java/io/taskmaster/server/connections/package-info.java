@NullMarked
package io.taskmaster.server.connections;

import org.jspecify.annotations.NullMarked;
