package io.taskmaster.server.store.rocksdb;

import static java.nio.file.attribute.PosixFilePermission.OWNER_EXECUTE;
import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file permissions of the data: no access for other users of the machine. Folders are 0700, files 0600. Existing
 * files with wider permissions are changed when the store is opened; where this user may not change them, as in a
 * volume that belongs to another user, a warning is logged. Stateless.
 */
final class FilePermissions {

    private static final Logger log = LoggerFactory.getLogger(FilePermissions.class);
    private static final Set<PosixFilePermission> FOLDER = EnumSet.of(OWNER_READ, OWNER_WRITE, OWNER_EXECUTE);
    private static final Set<PosixFilePermission> FILE = EnumSet.of(OWNER_READ, OWNER_WRITE);

    private FilePermissions() {}

    /** Returns the attributes for a new folder, if the file system supports permissions. */
    static FileAttribute<?>[] ofNewFolder(Path folder) {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FOLDER)}
                : new FileAttribute<?>[0];
    }

    /** Removes the access of others to a folder and everything in it. */
    static void require(Path folder) throws IOException {
        if (Files.getFileAttributeView(folder, PosixFileAttributeView.class) == null) {
            return;
        }
        Set<PosixFilePermission> before = Files.getPosixFilePermissions(folder);
        restrict(folder, FOLDER);
        if (!FOLDER.containsAll(Files.getPosixFilePermissions(folder))) {
            log.warn(
                    "{}: other users can read the data, {} (expected: rwx------; this user may not change it)",
                    folder,
                    PosixFilePermissions.toString(before));
        } else if (!FOLDER.containsAll(before)) {
            log.warn(
                    "{}: other users could read the data, {}; the permissions are now restricted to this user",
                    folder,
                    PosixFilePermissions.toString(before));
        }
        // The database may be a link to a folder on another disk.
        Set<FileVisitOption> links = EnumSet.of(FileVisitOption.FOLLOW_LINKS);
        Files.walkFileTree(folder, links, Integer.MAX_VALUE, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
                // A folder such as lost+found belongs to another user and cannot be entered.
                return restrict(inner, FOLDER) ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                // A link to a single file points outside the store.
                if (!Files.isSymbolicLink(file)) {
                    restrict(file, FILE);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException ignored) {
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Returns whether others have no access now. */
    private static boolean restrict(Path path, Set<PosixFilePermission> allowed) {
        try {
            Set<PosixFilePermission> found = Files.getPosixFilePermissions(path);
            if (!allowed.containsAll(found)) {
                Set<PosixFilePermission> narrowed = EnumSet.noneOf(PosixFilePermission.class);
                narrowed.addAll(found);
                narrowed.retainAll(allowed);
                Files.setPosixFilePermissions(path, narrowed);
            }
            return true;
        } catch (IOException notOwner) {
            return false;
        }
    }
}
