/**
 * What the servers of a run keep their data in, and what that takes when no server is in front of it: the limit that they are held
 * against.
 */
@NullMarked
package io.taskmaster.bench.store;

import org.jspecify.annotations.NullMarked;
