/** The Java client: an asynchronous and a blocking API over one connection, with the types of the data model. */
@NullMarked
package io.taskmaster.client;

import org.jspecify.annotations.NullMarked;
