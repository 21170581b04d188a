/** The processes of a demo: how they are started, kept alive and ended, and how they look from inside. */
@NullMarked
package io.taskmaster.examples.demo.process;

import org.jspecify.annotations.NullMarked;
