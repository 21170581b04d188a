/** Parts that commands share: connections to a server, options, tables and other output, advice on errors. */
@NullMarked
package io.taskmaster.cli.common;

import org.jspecify.annotations.NullMarked;
