package io.taskmaster.examples.crawl.site;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The Javadoc artifact of Guava as a read-only file system. The build puts the artifact beside this class, as one file,
 * so it is found with the classes and is not on the class path itself. Thread-safe.
 */
public final class JavadocArtifact implements AutoCloseable {

    private static final String RESOURCE = "guava-javadoc.zip";

    private final Path copy;
    private final FileSystem files;

    private JavadocArtifact(Path copy, FileSystem files) {
        this.copy = copy;
        this.files = files;
    }

    /**
     * Opens a copy, which is deleted on close.
     *
     * @param copy the path of the copy; replaces a file that an earlier process may have left there
     */
    public static JavadocArtifact open(Path copy) throws IOException {
        try (InputStream artifact = JavadocArtifact.class.getResourceAsStream(RESOURCE)) {
            if (artifact == null) {
                throw new FileNotFoundException(RESOURCE + ": missing (expected: put there by the Maven build)");
            }
            Files.copy(artifact, copy, StandardCopyOption.REPLACE_EXISTING);
            return new JavadocArtifact(copy, FileSystems.newFileSystem(copy));
        } catch (IOException e) {
            Files.deleteIfExists(copy);
            throw e;
        }
    }

    /** Returns the folder of the index page. */
    public Path root() {
        return files.getPath("/");
    }

    @Override
    public void close() throws IOException {
        files.close();
        Files.deleteIfExists(copy);
    }
}
