/** The quickstart: the smallest pipeline that hands tasks on from stage to stage. */
@NullMarked
package io.taskmaster.examples.quickstart;

import org.jspecify.annotations.NullMarked;
