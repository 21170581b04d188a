/** The second port: health for people and load balancers. */
@NullMarked
package io.taskmaster.server.http;

import org.jspecify.annotations.NullMarked;
