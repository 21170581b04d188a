package io.taskmaster.client;

/** How urgent a request is, when the server has more work than it can do at once. */
public enum ServiceClass {
    /** Somebody waits for it: goes first, and has a reserve that bulk work never takes. The default. */
    INTERACTIVE,
    /** Nobody waits for it: yields to interactive work, and is refused first ({@code OVERLOADED}) when there is too much. */
    BULK
}
