package io.taskmaster.proxy.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import io.taskmaster.proxy.config.LogFormat;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * The configuration of logging, in code: a program of TaskMaster logs to standard error, whatever else is on its class
 * path. Stateless: the state is that of the logging library.
 */
public final class Logs {

    private static final String TEXT = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0} - %msg %kvp%n";

    /**
     * The levels of the libraries of the ports, which log events that are no fault of the server: peers that hang up,
     * or that speak another protocol.
     */
    private static final Map<String, Level> QUIET = Map.of(
            "io.grpc", Level.WARN,
            "io.grpc.netty.NettyServerStream", Level.ERROR,
            "io.grpc.netty.NettyServerHandler", Level.ERROR,
            "io.netty", Level.WARN);

    private Logs() {}

    /**
     * Configures logging for a server: what it does, in this format.
     *
     * @param failed receives each failure before it is logged
     */
    public static void forServer(LogFormat format, Consumer<Throwable> failed) {
        configure(format, Level.INFO);
        context().addTurboFilter(new FailureFilter(failed));
    }

    /** Configures logging for commands, whose output is for people: errors only. */
    public static void forCommand() {
        configure(LogFormat.TEXT, Level.ERROR);
    }

    /** Limits a library to errors, after logging was configured. */
    public static void errorsOnly(String logger) {
        context().getLogger(logger).setLevel(Level.ERROR);
    }

    /** Silences a class of a library, after logging was configured. */
    public static void silence(String logger) {
        context().getLogger(logger).setLevel(Level.OFF);
    }

    /** Flushes buffered lines. */
    public static void stop() {
        context().stop();
    }

    private static void configure(LogFormat format, Level level) {
        LoggerContext context = context();
        context.reset();
        Encoder<ILoggingEvent> encoder = switch (format) {
            case TEXT -> text();
            case JSON -> new JsonEncoder();
        };
        encoder.setContext(context);
        encoder.start();
        var appender = new ConsoleAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(level);
        root.addAppender(appender);
        if (level.isGreaterOrEqual(Level.ERROR)) {
            context.getLogger("io.grpc").setLevel(Level.OFF);
        } else {
            QUIET.forEach((logger, quieter) -> context.getLogger(logger).setLevel(quieter));
        }
        // gRPC logs with java.util.logging.
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    private static PatternLayoutEncoder text() {
        var encoder = new PatternLayoutEncoder();
        encoder.setPattern(TEXT);
        return encoder;
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
