/**
 * The contract in JSON: requests are read from it, replies written to it, and an OpenAPI document says how. The descriptors of the
 * contract drive it all, so every field is there without being named here.
 */
@NullMarked
package io.taskmaster.server.json;

import org.jspecify.annotations.NullMarked;
