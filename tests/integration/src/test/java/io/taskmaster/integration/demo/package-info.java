/** Tests of all demos together, as the command line has them. */
@NullMarked
package io.taskmaster.integration.demo;

import org.jspecify.annotations.NullMarked;
