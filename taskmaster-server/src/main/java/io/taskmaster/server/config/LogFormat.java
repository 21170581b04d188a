package io.taskmaster.server.config;

/** How log lines look. */
public enum LogFormat {
    /** A line for people. */
    TEXT,
    /** One JSON object per line. */
    JSON
}
