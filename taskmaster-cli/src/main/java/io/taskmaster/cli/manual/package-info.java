/** Documents of the command line that are generated from its model: manual pages and completion scripts. */
@NullMarked
package io.taskmaster.cli.manual;

import org.jspecify.annotations.NullMarked;
