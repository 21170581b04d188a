@NullMarked
package io.taskmaster.examples.page;

import org.jspecify.annotations.NullMarked;
