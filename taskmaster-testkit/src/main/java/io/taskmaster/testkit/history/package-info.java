/** What clients asked and what they were told, and when: recorded while it happens, kept as lines of JSON, judged by the oracle. */
@NullMarked
package io.taskmaster.testkit.history;

import org.jspecify.annotations.NullMarked;
