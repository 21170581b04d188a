/** Tests of the example clients in other languages, and of the page that shows them. */
@NullMarked
package io.taskmaster.conformance.clients;

import org.jspecify.annotations.NullMarked;
