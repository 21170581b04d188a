package io.taskmaster.harness.process;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * A main program that runs another one in the same process, and halts the process when its standard input ends.
 *
 * <p>The parent holds the other end of that input, which the operating system closes when the parent dies, however it
 * dies. The program that it runs finds an empty standard input.
 */
final class Attached {

    private Attached() {}

    /** @param arguments the main class, and its arguments */
    public static void main(String[] arguments) throws Throwable {
        Class<?> program = Class.forName(arguments[0]);
        InputStream parent = System.in;
        System.setIn(InputStream.nullInputStream());
        Thread.ofPlatform().daemon().name("parent watch").start(() -> awaitEnd(parent));
        Method main = program.getMethod("main", String[].class);
        // The main class need not be public: the java command does not require that, either.
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }

    @SuppressWarnings("StatementWithEmptyBody") // The parent sends nothing; only the end of the input matters.
    private static void awaitEnd(InputStream parent) {
        try {
            while (parent.read() >= 0) {}
        } catch (IOException ended) {
            // Equivalent to the end of the input.
        }
        // Shutdown hooks are skipped: they would drain for a parent that no longer exists.
        Runtime.getRuntime().halt(1);
    }
}
