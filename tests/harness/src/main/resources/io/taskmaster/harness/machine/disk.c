/*
 * A disk that fails and loses power on demand, for one process that is started with this library in LD_PRELOAD.
 *
 * TASKMASTER_DISK_ROOT    the folder that is on this disk; real path, without a slash at its end
 * TASKMASTER_DISK_RECORD  a folder beside it, with:
 *
 *   journal      appended to, a line per event:
 *                  F <inode> <bytes>          a file is durable up to here
 *                  L <inode> <bytes>          a sync of it failed: what was not durable up to here never will be
 *                  D <entries> <path>         the entries of a folder are durable, one line each follows:
 *                  E <inode> <f or d> <name>
 *   kept/<inode> every file that is in the journal, as a hard link: so its content is there when its name is not
 *   faults/      while there is a file named sync, write or create, such calls fail: it holds an error number and how the names of the files
 *                  end that are meant. A fault whose name ends with .once is taken away by the call that fails.
 *   faulty       is there while there may be faults
 *
 * TASKMASTER_DISK_LOSES   if it is set, the disk is to lose power, so that there is a journal. Then syncs are not passed on: the machine that runs
 *                         the test will not lose power, and what counts is the journal.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *root;
static const char *record;
static size_t root_length;
static int journal = -1;
static int is_there;
static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;

static int (*real_open)(const char *, int, ...);
static int (*real_openat)(int, const char *, int, ...);
static int (*real_rename)(const char *, const char *);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);

static void *next(const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    if (symbol == NULL) {
        _exit(120);
    }
    return symbol;
}

/* Before main, or by the first call, if another library comes first. */
__attribute__((constructor)) static void begin(void) {
    if (real_pwrite != NULL) {
        return;
    }
    real_open = next("open");
    real_openat = next("openat");
    real_rename = next("rename");
    real_fsync = next("fsync");
    real_fdatasync = next("fdatasync");
    real_write = next("write");
    real_pwrite = next("pwrite64");
    root = getenv("TASKMASTER_DISK_ROOT");
    record = getenv("TASKMASTER_DISK_RECORD");
    char path[PATH_MAX];
    if (root != NULL && record != NULL) {
        is_there = 1;
        root_length = strlen(root);
    }
    if (is_there && getenv("TASKMASTER_DISK_LOSES") != NULL) {
        snprintf(path, sizeof path, "%s/journal", record);
        journal = real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
}

/* What of a path is behind the root; NULL if it is not on this disk. */
static const char *behind_root(const char *path) {
    if (!is_there || strncmp(path, root, root_length) != 0) {
        return NULL;
    }
    if (path[root_length] == 0) {
        return path + root_length;
    }
    return path[root_length] == '/' ? path + root_length + 1 : NULL;
}

static int path_of(int fd, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) {
        return -1;
    }
    path[length] = 0;
    return 0;
}

static int ends_with(const char *text, const char *end) {
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* Whether a file can fail: one in a folder below the root, such as the data. A log in the root itself has to tell about it. */
static int can_fail(const char *path) {
    const char *name = behind_root(path);
    return name != NULL && strchr(name, '/') != NULL;
}

/* The error number of a fault of this name that a file is meant by, or 0. */
static int fault_in(const char *name, const char *file, int once) {
    char path[PATH_MAX], content[256];
    snprintf(path, sizeof path, "%s/faults/%s%s", record, name, once ? ".once" : "");
    int fd = real_open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    ssize_t length = read(fd, content, sizeof content - 1);
    close(fd);
    if (length <= 0) {
        return 0;
    }
    content[length] = 0;
    int error = 0;
    char end[128] = "";
    sscanf(content, "%d %127s", &error, end);
    if (!ends_with(file, end) || (once && unlink(path) != 0)) {
        return 0;
    }
    return error;
}

static int fault(const char *name, const char *file) {
    int saved = errno;
    int error = fault_in(name, file, 1);
    if (error == 0) {
        error = fault_in(name, file, 0);
    }
    errno = saved;
    return error;
}

/* Whether there may be a fault: asked before each write, so it is one call. */
static int is_faulty(void) {
    if (!is_there) {
        return 0;
    }
    char path[PATH_MAX];
    int saved = errno;
    snprintf(path, sizeof path, "%s/faulty", record);
    int found = access(path, F_OK) == 0;
    errno = saved;
    return found;
}

static void kept_name(char *path, size_t size, ino64_t inode) {
    snprintf(path, size, "%s/kept/%llu", record, (unsigned long long) inode);
}

static void keep(int fd, ino64_t inode) {
    char from[64], to[PATH_MAX];
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    kept_name(to, sizeof to, inode);
    linkat(AT_FDCWD, from, AT_FDCWD, to, AT_SYMLINK_FOLLOW);
}

static void append(const char *text, size_t length) {
    pthread_mutex_lock(&journal_lock);
    while (length > 0) {
        ssize_t written = real_write(journal, text, length);
        if (written <= 0) {
            abort();
        }
        text += written;
        length -= written;
    }
    pthread_mutex_unlock(&journal_lock);
}

static void note_file(int fd, const struct stat64 *file, char what) {
    char line[64];
    keep(fd, file->st_ino);
    int length = snprintf(
        line, sizeof line, "%c %llu %lld\n", what, (unsigned long long) file->st_ino, (long long) file->st_size);
    append(line, length);
}

static void note_folder(const char *path, const char *name) {
    char *text = NULL, *entries = NULL;
    size_t text_size, entries_size;
    int count = 0;
    FILE *lines = open_memstream(&entries, &entries_size);
    DIR *folder = opendir(path);
    for (struct dirent64 *entry; folder != NULL && (entry = readdir64(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        struct stat64 file;
        if (fstatat64(dirfd(folder), entry->d_name, &file, AT_SYMLINK_NOFOLLOW) == 0
            && (S_ISDIR(file.st_mode) || S_ISREG(file.st_mode))) {
            fprintf(lines, "E %llu %c %s\n", (unsigned long long) file.st_ino, S_ISDIR(file.st_mode) ? 'd' : 'f', entry->d_name);
            count++;
            if (S_ISREG(file.st_mode)) {
                char kept[PATH_MAX];
                kept_name(kept, sizeof kept, file.st_ino);
                linkat(dirfd(folder), entry->d_name, AT_FDCWD, kept, 0);
            }
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    fclose(lines);
    FILE *whole = open_memstream(&text, &text_size);
    fprintf(whole, "D %d %s\n%s", count, name, entries);
    fclose(whole);
    append(text, text_size);
    free(text);
    free(entries);
}

static int sync_noted(int fd, int (*real)(int)) {
    char path[PATH_MAX];
    struct stat64 file;
    if (!is_there || path_of(fd, path, sizeof path) != 0) {
        return real(fd);
    }
    const char *name = behind_root(path);
    if (name == NULL) {
        return real(fd);
    }
    /* Before anything else: what is appended meanwhile may be durable, or not. */
    if (fstat64(fd, &file) != 0) {
        return -1;
    }
    int error = fault("sync", path);
    if (journal >= 0 && S_ISDIR(file.st_mode)) {
        if (error == 0) {
            note_folder(path, name);
        }
    } else if (journal >= 0) {
        note_file(fd, &file, error == 0 ? 'F' : 'L');
    }
    if (error != 0) {
        errno = error;
        return -1;
    }
    return journal >= 0 ? 0 : real(fd);
}

int fsync(int fd) {
    begin();
    return sync_noted(fd, real_fsync);
}

int fdatasync(int fd) {
    begin();
    return sync_noted(fd, real_fdatasync);
}

static int fails(const char *name, int fd) {
    char path[PATH_MAX];
    if (!is_faulty() || path_of(fd, path, sizeof path) != 0 || !can_fail(path)) {
        return 0;
    }
    int error = fault(name, path);
    if (error != 0) {
        errno = error;
    }
    return error;
}

ssize_t write(int fd, const void *bytes, size_t size) {
    begin();
    return fails("write", fd) ? -1 : real_write(fd, bytes, size);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
    begin();
    return fails("write", fd) ? -1 : real_pwrite(fd, bytes, size, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
    return pwrite64(fd, bytes, size, offset);
}

static int cannot_create(const char *path, int flags) {
    begin();
    if ((flags & (O_CREAT | O_WRONLY | O_RDWR)) == 0 || !can_fail(path) || !is_faulty()) {
        return 0;
    }
    int error = fault("create", path);
    if (error != 0) {
        errno = error;
    }
    return error;
}

static mode_t mode_of(int flags, va_list more) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_of(flags, more);
    va_end(more);
    return cannot_create(path, flags) ? -1 : real_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_of(flags, more);
    va_end(more);
    return cannot_create(path, flags) ? -1 : real_open(path, flags | O_LARGEFILE, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_of(flags, more);
    va_end(more);
    return cannot_create(path, flags) ? -1 : real_openat(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = mode_of(flags, more);
    va_end(more);
    return cannot_create(path, flags) ? -1 : real_openat(folder, path, flags | O_LARGEFILE, mode);
}

int rename(const char *from, const char *to) {
    begin();
    return cannot_create(to, O_CREAT) ? -1 : real_rename(from, to);
}
