package io.taskmaster.server.store.rocksdb;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.Table;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * A process that writes as fast as it can until it is killed, and prints a line for each acknowledged operation:
 * {@code log N} or {@code task N}. If an operation fails, it prints {@code failed} and the outcome as the last line,
 * and exits. Everything it writes follows from N alone, so that the test can check it.
 */
final class StoreUnderLoad {

    private static final int TASKS_PER_WRITE = 20;
    private static final int IN_FLIGHT = 32;

    private StoreUnderLoad() {}

    /** Runs until killed. Arguments: the folder, the epoch, and the first number. */
    public static void main(String[] args) throws InterruptedException {
        long epoch = Long.parseLong(args[1]);
        PrintStream acknowledged = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        Semaphore permits = new Semaphore(IN_FLIGHT);
        RocksDbStore store = RocksDbStore.open(Path.of(args[0]), RocksDbSettings.DEFAULTS);
        acknowledged.println("open");
        for (int number = Integer.parseInt(args[2]); ; number++) {
            String name = Integer.toString(number);
            permits.acquire(2);
            whenDone(acknowledged, store.putIfAbsent(logCell(number), logValue(number)), first -> {
                acknowledged.println((first ? "log " : "twice ") + name);
                permits.release();
            });
            whenDone(acknowledged, writeOrStage(store, number, taskWrites(number, epoch)), done -> {
                acknowledged.println("task " + name);
                permits.release();
            });
        }
    }

    /** Makes a write durable in one of two ways. */
    private static CompletableFuture<Void> writeOrStage(RocksDbStore store, int number, List<CellWrite> writes) {
        return number % 2 == 0 ? store.write(writes) : store.stage(writes).thenCompose(_ -> store.sync());
    }

    private static <T> void whenDone(
            PrintStream acknowledged, CompletableFuture<T> operation, Consumer<T> acknowledge) {
        var _ = operation.whenComplete((result, failure) -> {
            if (failure != null) {
                Throwable cause = failure instanceof CompletionException wrapper ? wrapper.getCause() : failure;
                acknowledged.println("failed " + (cause instanceof StoreException store ? store.outcome() : cause));
                Runtime.getRuntime().halt(1);
            }
            acknowledge.accept(result);
        });
    }

    static CellKey logCell(int number) {
        return new CellKey(Table.LOG, row(number, 0), 0);
    }

    /** Returns a value of a few bytes to a hundred kilobytes. */
    static Bytes logValue(int number) {
        byte[] value = new byte[number % 10 == 0 ? 100_000 : number % 1000];
        new Random(number).nextBytes(value);
        return Bytes.wrap(value);
    }

    static List<CellWrite> taskWrites(int number, long epoch) {
        List<CellWrite> writes = new ArrayList<>();
        for (int i = 0; i < TASKS_PER_WRITE; i++) {
            CellKey key = new CellKey(Table.TASKS, row(number, i), 0);
            writes.add(new CellWrite.Put(key, new Stamp(epoch, number), Bytes.of("task " + number + "." + i)));
        }
        return writes;
    }

    private static Bytes row(int number, int index) {
        return Bytes.wrap(ByteBuffer.allocate(10)
                .putShort((short) 5)
                .putInt(number)
                .putInt(index)
                .array());
    }
}
