package io.taskmaster.examples.demo.process;

import java.io.IOException;

/** The process that started this one. It holds the other end of our standard input, which ends when it does, however it ends. */
public final class Parent {

    private Parent() {}

    /** Ends this process, with its shutdown hooks, as soon as the parent is gone. */
    public static void outlivesUs() {
        Thread.ofPlatform().daemon().name("parent watch").start(() -> {
            awaitEnd();
            System.exit(0);
        });
    }

    @SuppressWarnings("StatementWithEmptyBody") // Nobody says anything; the end is all that there is to hear.
    private static void awaitEnd() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException gone) {
            // As good as the end.
        }
    }
}
