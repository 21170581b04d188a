/**
 * The lower storey of a node, and all of a proxy: the ports, access, and the mapping of the contract to commands. The
 * partitions are behind {@link io.taskmaster.proxy.route.Router}; nothing here depends on an engine or a store.
 */
@NullMarked
package io.taskmaster.proxy;

import org.jspecify.annotations.NullMarked;
