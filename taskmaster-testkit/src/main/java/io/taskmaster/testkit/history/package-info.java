/**
 * The record of clients' calls and their outcomes: written as the calls happen, kept as lines of JSON, judged by the
 * oracle.
 */
@NullMarked
package io.taskmaster.testkit.history;

import org.jspecify.annotations.NullMarked;
