/**
 * Conformance suites in other languages, run against a server process: the paper's "without a client library other than
 * the RPC stub".
 */
@NullMarked
package io.taskmaster.conformance;

import org.jspecify.annotations.NullMarked;
