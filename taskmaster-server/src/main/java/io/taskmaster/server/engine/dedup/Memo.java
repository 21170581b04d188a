package io.taskmaster.server.engine.dedup;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;

/**
 * What is remembered of an update that was committed and had an id. Immutable.
 *
 * @param requestId unique in its group
 * @param millis when it was decided
 * @param reply what it was answered, encoded
 */
public record Memo(GroupName group, Bytes requestId, long millis, Bytes reply) {}
