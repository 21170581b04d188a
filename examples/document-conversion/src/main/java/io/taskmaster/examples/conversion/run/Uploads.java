package io.taskmaster.examples.conversion.run;

import io.taskmaster.examples.demo.fixture.JavadocArtifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The uploads of users: pages of Guava's Javadoc, and one document that crashes a converter. */
final class Uploads {

    /** The poisonous document: a table with a cell that spans more columns than fit into memory. */
    static final String POISON = "bomb.html";

    private static final String POISON_HTML =
            "<table><tr><td colspan=2000000000>wide</td></tr><tr><td>narrow</td></tr></table>";
    private static final String PAGES = "com/google/common";

    private Uploads() {}

    /**
     * Puts documents into a folder, and returns their names. Idempotent.
     *
     * @param count the number of documents, besides the poisonous one; there are some hundreds
     */
    static List<String> bring(Path folder, int count, Path scratch) throws IOException {
        Files.createDirectories(folder);
        List<String> names = new ArrayList<>();
        try (JavadocArtifact artifact = JavadocArtifact.open(scratch)) {
            Path pages = artifact.root().resolve(PAGES);
            for (Path page : pages(pages).subList(0, count)) {
                String name = pages.relativize(page).toString().replace('/', '.');
                Files.copy(page, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                names.add(name);
            }
        }
        Files.writeString(folder.resolve(POISON), POISON_HTML);
        names.add(POISON);
        return names;
    }

    private static List<Path> pages(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".html"))
                    .sorted()
                    .toList();
        }
    }
}
