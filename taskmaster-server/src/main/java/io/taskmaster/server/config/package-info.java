/** The settings of a node, beside those of its ports: validated records. */
@NullMarked
package io.taskmaster.server.config;

import org.jspecify.annotations.NullMarked;
