package io.taskmaster.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of jars without the native libraries of other platforms. */
final class SlimJarTest {

    @TempDir
    private Path folder;

    private Path jar;

    @BeforeEach
    void write() throws IOException {
        jar = folder.resolve("some.jar");
        TestJar.write(jar, "org/Some.class", "libsome-linux64.so", "libsome-win64.dll", "libsome-osx.jnilib");
    }

    @Test
    void keepsTheOneLibraryAndEverythingElse() throws IOException {
        SlimJar.slim(jar, "libsome-linux64.so");

        try (JarFile slim = new JarFile(jar.toFile())) {
            assertThat(slim.stream().map(Object::toString)).containsExactly("org/Some.class", "libsome-linux64.so");
            assertThat(slim.getInputStream(slim.getEntry("libsome-linux64.so")))
                    .hasBinaryContent("libsome-linux64.so".getBytes(UTF_8));
        }
        assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void changesNothingIfTheLibraryIsNotThere() throws IOException {
        byte[] before = Files.readAllBytes(jar);

        assertThatThrownBy(() -> SlimJar.slim(jar, "libsome-linux32.so")).hasMessageContaining("libsome-linux32.so");
        assertThat(jar).hasBinaryContent(before);
    }
}
