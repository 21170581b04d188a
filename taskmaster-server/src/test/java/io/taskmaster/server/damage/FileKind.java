package io.taskmaster.server.damage;

import java.nio.file.Path;

/** The files of a data folder, by content. */
enum FileKind {
    TABLES,
    WRITE_AHEAD_LOGS,
    MANIFEST,
    CURRENT,
    OPTIONS,
    OTHERS_OF_ROCKSDB,
    WITNESS,
    LAYOUT;

    static FileKind of(Path file) {
        String name = file.getFileName().toString();
        if (name.endsWith(".sst")) {
            return TABLES;
        } else if (name.endsWith(".log")) {
            return WRITE_AHEAD_LOGS;
        } else if (name.startsWith("MANIFEST")) {
            return MANIFEST;
        } else if (name.startsWith("OPTIONS")) {
            return OPTIONS;
        }
        return switch (name) {
            case "CURRENT" -> CURRENT;
            case "witness" -> WITNESS;
            case "layout" -> LAYOUT;
            default -> OTHERS_OF_ROCKSDB;
        };
    }
}
