package io.taskmaster.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the licences of a folder of libraries. */
final class LicencesTest {

    @TempDir
    private Path folder;

    private Path libraries;
    private Path bill;
    private Path output;

    @BeforeEach
    void write() throws IOException {
        libraries = folder.resolve("lib");
        Files.createDirectories(libraries.resolve("more"));
        output = folder.resolve("licenses");
        TestJar.write(libraries.resolve("taskmaster-core-1.jar"), "META-INF/LICENSE");
        TestJar.write(libraries.resolve("a-1.0.jar"), "META-INF/LICENSE.txt", "META-INF/NOTICE", "License.class");
        TestJar.write(libraries.resolve("more/b-2.jar"), "b.properties", "META-INF/FastDoubleParser-LICENSE");
        bill = Files.writeString(folder.resolve("bom.json"), """
            {"components": [
              {"group": "io.taskmaster", "name": "taskmaster-core", "version": "1"},
              {"group": "org.a", "name": "a", "version": "1.0", "licenses": [{"license": {"id": "MIT"}}]},
              {"group": "org.b", "name": "b", "version": "2", "licenses": [
                {"license": {"name": "Own", "url": "https://b.example/own"}}, {"expression": "A OR B"}]},
              {"group": "org.c", "name": "c", "version": "3"}]}
            """);
    }

    @Test
    void listsEveryLibraryOfOthersWithItsLicences() throws IOException {
        Licences.write(bill, libraries, output);

        assertThat(output.resolve("THIRD-PARTY.txt"))
                .content()
                .endsWith("\n\norg.a:a:1.0: MIT\norg.b:b:2: Own (https://b.example/own); A OR B\n");
    }

    @Test
    void bringsTheTextsThatTheLibrariesHave() throws IOException {
        Licences.write(bill, libraries, output);

        assertThat(output.resolve("a-1.0/LICENSE.txt")).hasContent("META-INF/LICENSE.txt");
        assertThat(output.resolve("a-1.0/NOTICE")).exists();
        assertThat(output.resolve("b-2/FastDoubleParser-LICENSE")).exists();
        assertThat(output.resolve("a-1.0/License.class")).doesNotExist();
    }

    @Test
    void aLibraryThatTheBillDoesNotHaveIsAnError() throws IOException {
        TestJar.write(libraries.resolve("d-4.jar"), "d");

        assertThatThrownBy(() -> Licences.write(bill, libraries, output)).hasMessageContaining("d-4.jar");
    }

    @Test
    void aLibraryWithoutALicenceIsAnError() throws IOException {
        TestJar.write(libraries.resolve("c-3.jar"), "c");

        assertThatThrownBy(() -> Licences.write(bill, libraries, output)).hasMessageContaining("has no licence");
    }
}
