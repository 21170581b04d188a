/**
 * The cells by which the nodes on one store find each other: the map of partitions and its head, the members and their
 * loads. All are rows of partition 0, beside the claim. They decide who tries to take a partition over; what is durable
 * is up to the fences of the log alone (ADR 22).
 *
 * <p>{@link io.taskmaster.server.cluster.MapCell} publishes maps and {@link io.taskmaster.server.cluster.MapFollower}
 * follows them; {@link io.taskmaster.server.cluster.Membership} keeps the cell of this node, and
 * {@link io.taskmaster.server.cluster.MemberWatch} watches those of all.
 */
@NullMarked
package io.taskmaster.server.cluster;

import org.jspecify.annotations.NullMarked;
