/** The Java client: an asynchronous and a blocking face over one connection, in the words of the model. */
@NullMarked
package io.taskmaster.client;

import org.jspecify.annotations.NullMarked;
