package io.taskmaster.stage.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileWriteTest {

    @TempDir
    private Path folder;

    @Test
    void existingFileIsReplacedAndNothingIsLeft() throws IOException {
        replace("one");
        replace("two");
        assertThat(folder.toFile().list()).containsExactly("a.md");
        assertThat(folder.resolve("a.md")).hasContent("two");
    }

    @Test
    void newFileHasThePermissionsOfAnyOther() throws IOException {
        Path plain = Files.writeString(folder.resolve("plain"), "text");
        replace("text");
        assertThat(Files.getPosixFilePermissions(folder.resolve("a.md")))
                .isEqualTo(Files.getPosixFilePermissions(plain));
    }

    @Test
    void fileThatCannotTakeItsPlaceIsNotLeftBehind() throws IOException {
        Files.createDirectories(folder.resolve("a.md").resolve("occupied"));
        assertThatThrownBy(() -> replace("text")).isInstanceOf(IOException.class);
        assertThat(folder.toFile().list()).containsExactly("a.md");
    }

    private void replace(String text) throws IOException {
        FileWrite.replace(folder.resolve("a.md"), Bytes.of(text)).run();
    }
}
