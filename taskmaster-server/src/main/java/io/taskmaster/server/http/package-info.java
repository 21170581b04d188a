/** The second port: the contract in JSON for people with {@code curl}, and health for people and load balancers. */
@NullMarked
package io.taskmaster.server.http;

import org.jspecify.annotations.NullMarked;
