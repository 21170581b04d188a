@NullMarked
package io.taskmaster.server.insight;

import org.jspecify.annotations.NullMarked;
