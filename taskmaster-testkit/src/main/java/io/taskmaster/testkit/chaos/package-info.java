/**
 * {@code taskmaster chaos}: tokens that worker processes hand from queue to queue while the server, the network and the workers
 * themselves fail; in the end none is lost and none is there twice, and an oracle has judged every answer that was given.
 */
@NullMarked
package io.taskmaster.testkit.chaos;

import org.jspecify.annotations.NullMarked;
