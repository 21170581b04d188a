package io.taskmaster.client;

/** The priority of a request under overload. */
public enum ServiceClass {
    /** A request with a waiting caller. It goes first, and has a reserve that bulk work cannot take. The default. */
    INTERACTIVE,
    /** Background work. It yields to interactive work, and is refused first ({@code OVERLOADED}). */
    BULK
}
