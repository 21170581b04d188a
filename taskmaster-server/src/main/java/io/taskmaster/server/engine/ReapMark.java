package io.taskmaster.server.engine;

import io.taskmaster.model.QueueKey;

/** Rows of a queue's generations before this one are garbage, and somebody has to clear them away. Immutable. */
public record ReapMark(QueueKey queue, long belowGeneration) {}
