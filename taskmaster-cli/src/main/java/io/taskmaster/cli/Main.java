package io.taskmaster.cli;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.proxy.logging.Logs;
import java.util.ServiceLoader;

/** The program {@code taskmaster}. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        Logs.forCommand();
        System.exit(new Commands(Terminal.system(), ServiceLoader.load(CommandProvider.class)).run(args));
    }
}
