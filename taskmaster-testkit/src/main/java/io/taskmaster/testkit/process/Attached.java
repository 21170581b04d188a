package io.taskmaster.testkit.process;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * A program that runs another one in the same process, and ends both at once when its standard input ends: the other end of that
 * is held by the process that started us, and closed when that one dies, however it dies. The program that it runs finds an empty
 * standard input.
 */
final class Attached {

    private Attached() {}

    /**
     * @param arguments the main class, and its arguments
     */
    public static void main(String[] arguments) throws Throwable {
        Class<?> program = Class.forName(arguments[0]);
        InputStream parent = System.in;
        System.setIn(InputStream.nullInputStream());
        Thread.ofPlatform().daemon().name("parent watch").start(() -> awaitEnd(parent));
        Method main = program.getMethod("main", String[].class);
        // Its class need not be public: nor does the java command want that.
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }

    @SuppressWarnings("StatementWithEmptyBody") // Nobody says anything; the end is all that there is to hear.
    private static void awaitEnd(InputStream parent) {
        try {
            while (parent.read() >= 0) {}
        } catch (IOException gone) {
            // As good as the end.
        }
        // Without shutdown hooks: they drain, and there is nobody left to drain for.
        Runtime.getRuntime().halt(1);
    }
}
