/**
 * The contract in JSON: readers of requests, writers of replies, and the OpenAPI document that describes both. All of
 * them follow the descriptors of the contract, so every field is supported without being named here.
 */
@NullMarked
package io.taskmaster.proxy.json;

import org.jspecify.annotations.NullMarked;
