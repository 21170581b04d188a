/**
 * A simulation of TaskMaster without threads, sockets and clocks: the real code in virtual time. Begin with
 * {@link io.taskmaster.testkit.virtual.VirtualServer}.
 */
@NullMarked
package io.taskmaster.testkit.virtual;

import org.jspecify.annotations.NullMarked;
