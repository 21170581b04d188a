package io.taskmaster.server.engine.dedup;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;

/**
 * The entry of the dedup window for an update that was committed and had a request id. Immutable.
 *
 * @param requestId unique in its group
 * @param millis the time of the decision
 * @param reply the encoded reply
 */
public record DedupEntry(GroupName group, Bytes requestId, long millis, Bytes reply) {}
