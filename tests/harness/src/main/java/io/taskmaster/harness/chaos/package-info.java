/**
 * The command {@code taskmaster chaos}: worker processes hand tokens from queue to queue while the server, the network
 * and the workers themselves fail. In the end no token is lost or duplicated, and an oracle has judged every reply.
 */
@NullMarked
package io.taskmaster.harness.chaos;

import org.jspecify.annotations.NullMarked;
