package io.taskmaster.server.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FilePermissionsTest {

    @TempDir
    private Path parent = Path.of("");

    @Test
    void aNewFolderIsItsOwnersAlone() throws IOException {
        Path folder = parent.resolve("a/data");
        RocksDbStore.open(folder, RocksDbSettings.DEFAULTS).close();

        assertThat(permissions(parent.resolve("a"))).isEqualTo("rwx------");
        assertThat(permissions(folder)).isEqualTo("rwx------");
        assertThat(permissions(folder.resolve("db"))).isEqualTo("rwx------");
    }

    @Test
    void whatOthersCouldReadTheyCannotAfterTheStart() throws IOException {
        Path folder = parent.resolve("data");
        RocksDbStore.open(folder, RocksDbSettings.DEFAULTS).close();
        set(folder, "rwxr-xr-x");
        set(folder.resolve("db"), "rwxrwxr-x");
        set(folder.resolve("witness"), "rw-r--r--");

        DataFolder.open(folder).close();

        assertThat(permissions(folder)).isEqualTo("rwx------");
        try (Stream<Path> all = Files.walk(folder)) {
            assertThat(all).allSatisfy(path -> assertThat(permissions(path)).endsWith("------"));
        }
    }

    @Test
    void aFolderThatIsALinkStaysOneThatItsOwnerGetsInto() throws IOException {
        Path folder = parent.resolve("data");
        DataFolder.open(folder).close();
        Path elsewhere = Files.move(folder.resolve("db"), parent.resolve("elsewhere"));
        Path table = Files.writeString(elsewhere.resolve("000001.sst"), "x");
        Path library = Files.writeString(parent.resolve("library.so"), "x");
        set(elsewhere, "rwxr-xr-x");
        set(table, "rw-r--r--");
        set(library, "rwxr-xr-x");
        Files.createSymbolicLink(folder.resolve("db"), elsewhere);
        Files.createSymbolicLink(folder.resolve("native"), library);

        DataFolder.open(folder).close();

        assertThat(permissions(elsewhere)).isEqualTo("rwx------");
        assertThat(permissions(table)).isEqualTo("rw-------");
        assertThat(permissions(library)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void aFileThatItsOwnerMayOnlyReadStaysSo() throws IOException {
        Path folder = parent.resolve("data");
        DataFolder.open(folder).close();
        set(folder.resolve("layout"), "r--r--r--");

        DataFolder.open(folder).close();

        assertThat(permissions(folder.resolve("layout"))).isEqualTo("r--------");
    }

    private static void set(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
