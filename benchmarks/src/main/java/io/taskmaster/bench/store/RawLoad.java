package io.taskmaster.bench.store;

import com.google.protobuf.ByteString;
import io.taskmaster.bench.load.Timing;

/**
 * A load of writes for a store. Immutable.
 *
 * @param batch the number of rows per operation
 * @param data the value of each row, as large as the data of a task
 * @param outstanding the number of operations in flight, if the store supports several
 */
public record RawLoad(int batch, ByteString data, int outstanding, Timing timing) {}
