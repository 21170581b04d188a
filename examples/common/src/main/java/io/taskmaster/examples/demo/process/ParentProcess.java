package io.taskmaster.examples.demo.process;

import java.io.IOException;

/**
 * The process that started this one. It holds the other end of the standard input, which ends with it, however it ends.
 */
public final class ParentProcess {

    private ParentProcess() {}

    /** Ends this process, with its shutdown hooks, as soon as the parent is gone. */
    public static void exitWithIt() {
        Thread.ofPlatform().daemon().name("parent watch").start(() -> {
            awaitEnd();
            System.exit(0);
        });
    }

    @SuppressWarnings("StatementWithEmptyBody") // The parent writes nothing; only the end of the stream matters.
    private static void awaitEnd() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException gone) {
            // An error means the same as the end of the stream.
        }
    }
}
