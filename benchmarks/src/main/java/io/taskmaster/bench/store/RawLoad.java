package io.taskmaster.bench.store;

import com.google.protobuf.ByteString;
import io.taskmaster.bench.load.Timing;

/**
 * What is written into a store. Immutable.
 *
 * @param batch rows per operation
 * @param data of each row, as much as a task has
 * @param outstanding operations, where the store can do several at a time
 */
public record RawLoad(int batch, ByteString data, int outstanding, Timing timing) {}
