package io.taskmaster.server.cluster;

import io.taskmaster.placement.NodeCapacity;
import io.taskmaster.placement.NodeRef;

/**
 * The part of a member that stays the same as long as its process lives. Immutable.
 *
 * @param node the incarnation and the address of its port
 * @param httpAddress the address of its HTTP port, as {@code host:port}; empty if it has none
 * @param formats the format levels that it knows
 * @param programVersion the version of TaskMaster, for operators
 * @param capacity the capacity
 */
public record MemberProfile(
        NodeRef node, String httpAddress, FormatLevels formats, String programVersion, NodeCapacity capacity) {}
