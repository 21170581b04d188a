/** Tests of the HTTP port of a whole node. */
@NullMarked
package io.taskmaster.proxy.http;

import org.jspecify.annotations.NullMarked;
