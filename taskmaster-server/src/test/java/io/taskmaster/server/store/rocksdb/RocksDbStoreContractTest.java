package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.PersistentStoreContract;
import io.taskmaster.server.store.Store;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

final class RocksDbStoreContractTest extends PersistentStoreContract {

    @TempDir
    Path folder;

    @Override
    protected Store open() {
        return RocksDbStore.open(folder, RocksDbSettings.DEFAULTS);
    }
}
