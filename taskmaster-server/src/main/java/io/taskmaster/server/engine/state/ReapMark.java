package io.taskmaster.server.engine.state;

import io.taskmaster.model.QueueKey;

/** A mark for garbage: rows of a queue's generations before this one, which have to be reaped. Immutable. */
public record ReapMark(QueueKey queue, long belowGeneration) {}
