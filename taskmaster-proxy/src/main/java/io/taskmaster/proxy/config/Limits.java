package io.taskmaster.proxy.config;

import io.taskmaster.command.pattern.NamePattern;

/**
 * The limits of a single request. They are part of the contract, so not configurable; the limits of a node as a whole
 * are in {@code ServerConfig}.
 */
public final class Limits {

    /** Length of a PID, in bytes. */
    public static final int PID_BYTES = 4 << 10;
    /** Length of a queue or group name, in bytes. */
    public static final int NAME_BYTES = 1 << 10;
    /** Data of one task, in bytes. */
    public static final int DATA_BYTES = 16 << 20;
    /** Headers of one task. */
    public static final int HEADER_ENTRIES = 64;
    /** Names and values of the headers of one task together, in bytes of UTF-8. */
    public static final int HEADER_BYTES = 8 << 10;

    /** Elements of one update, all four lists together. */
    public static final int UPDATE_ELEMENTS = 10_000;
    /** One update on the wire, in bytes. */
    public static final int UPDATE_BYTES = 32 << 20;
    /** Length of a request id, in bytes. */
    public static final int REQUEST_ID_BYTES = 64;

    /** Operations of one batch. */
    public static final int BATCH_OPERATIONS = 10_000;
    /** One batch on the wire, in bytes. */
    public static final int BATCH_BYTES = UPDATE_BYTES;

    /** Tasks of one lease. */
    public static final int LEASE_TASKS = 10_000;
    /** Data of one lease, in bytes. */
    public static final int LEASE_BYTES = 32 << 20;
    /** Duration of a lease, in milliseconds. */
    public static final long LEASE_MILLIS = 7L * 24 * 60 * 60 * 1000;
    /** Time that a lease request may wait for its first task, in milliseconds. */
    public static final long WAIT_MILLIS = 60_000;
    /** Name of a worker, in bytes of UTF-8. */
    public static final int WORKER_BYTES = 1 << 10;

    /** Weight of a queue: the number of tasks that it yields per round of the round-robin. */
    public static final int QUEUE_WEIGHT = 1_000;

    /** Names in one selector. */
    public static final int SELECTOR_NAMES = 10_000;
    /** A name pattern, in bytes of UTF-8. */
    public static final int PATTERN_BYTES = NamePattern.MAX_BYTES;
    /** Instructions that a pattern may compile to, by estimate: nested repetitions make a short pattern huge. */
    public static final int PATTERN_INSTRUCTIONS = NamePattern.MAX_INSTRUCTIONS;
    /** Unicode classes in a pattern. */
    public static final int PATTERN_CLASSES = NamePattern.MAX_TABLES;
    /** Characters in ranges of a pattern that ignores case. */
    public static final int PATTERN_FOLDED = NamePattern.MAX_FOLDED;
    /** Cost of a pattern on the names of the queues of a partition, in steps: instructions times characters. */
    public static final long PATTERN_STEPS = NamePattern.MAX_STEPS;

    /** Queues of one page of a listing. */
    public static final int LIST_QUEUES = 10_000;
    /** Queues of one description. */
    public static final int DESCRIBE_QUEUES = 1_000;
    /** Queues of one page of a ranking. */
    public static final int RANK_QUEUES = 1_000;
    /** Leased tasks shown in one description: queues times sample. */
    public static final int DESCRIBE_SAMPLES = 100_000;
    /** Tasks of one peek. */
    public static final int PEEK_TASKS = 10_000;
    /** Data of one peek, in bytes. */
    public static final int PEEK_BYTES = 32 << 20;

    /**
     * The largest message that is read at all. It is above {@link #UPDATE_BYTES}, so that a slightly larger message
     * gets TaskMaster's own error.
     */
    public static final int MESSAGE_BYTES = UPDATE_BYTES + (1 << 20);

    /** The body of an HTTP request, in bytes: large enough for {@link #UPDATE_BYTES} in Base64. */
    public static final int JSON_BODY_BYTES = 48 << 20;
    /** Nesting depth of objects and arrays in JSON; the contract needs 7. */
    public static final int JSON_DEPTH = 16;
    /** Values in one JSON document: a few characters of JSON may become an object of a hundred bytes in memory. */
    public static final int JSON_VALUES = 1_000_000;
    /** First line of an HTTP request, in bytes: large enough for a queue, a group and a PID in a query. */
    public static final int HTTP_LINE_BYTES = 32 << 10;
    /** Headers of an HTTP request, in bytes. */
    public static final int HTTP_HEADER_BYTES = 16 << 10;
    /**
     * Time from the opening of a connection to its first request over HTTP, or to the end of the handshake of HTTP/2,
     * TLS included.
     */
    public static final int HANDSHAKE_MILLIS = 10_000;
    /**
     * Silence of the peer after which a gRPC connection gets a keepalive ping, and after the same time again is closed.
     */
    public static final int KEEP_ALIVE_MILLIS = 60_000;
    /**
     * Silence of an HTTP connection between requests, in the middle of one, or while the peer should read an answer.
     */
    public static final int HTTP_SILENCE_MILLIS = 100_000;
    /**
     * Time for the body of an HTTP request, from its head to its last byte. The server holds memory for it meanwhile,
     * and a client that sends a byte now and then is not silent.
     */
    public static final int HTTP_BODY_MILLIS = 120_000;
    /** Time that an HTTP connection stays open for its peer to read why it was refused. */
    public static final int HTTP_LINGER_MILLIS = 2_000;
    /** Time for a request over HTTP, the wait of a lease included. */
    public static final long HTTP_CALL_MILLIS = WAIT_MILLIS + 30_000;

    private Limits() {}
}
