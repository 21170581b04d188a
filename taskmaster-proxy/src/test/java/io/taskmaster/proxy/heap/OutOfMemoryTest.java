package io.taskmaster.proxy.heap;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class OutOfMemoryTest {

    private final List<Integer> halted = new ArrayList<>();
    private final OutOfMemory memory = new OutOfMemory(halted::add);

    @Test
    void aFullHeapIsTheEndWhereverItWasMet() {
        memory.met(new OutOfMemoryError("Java heap space"));
        memory.met(new CompletionException(new IllegalStateException("x", new OutOfMemoryError("Java heap space"))));
        memory.met(new OutOfMemoryError("Java heap space: failed reallocation of scalar replaced objects"));

        assertThat(halted).containsExactly(5, 5, 5);
    }

    @Test
    void otherFailuresAreNot() {
        memory.met(new IllegalStateException("Java heap space"));
        memory.met(new OutOfMemoryError("Cannot reserve 16777216 bytes of direct buffer memory"));
        memory.met(new OutOfMemoryError("unable to create native thread"));
        memory.met(new StackOverflowError());
        Throwable inner = new IllegalStateException("inner");
        Throwable ofItself = new IllegalStateException("outer", inner);
        inner.initCause(ofItself);
        memory.met(ofItself);

        assertThat(halted).isEmpty();
    }

    @Test
    void whatElseNobodyCaughtIsToldToTheNextHandlerOrToTheLog() {
        List<Throwable> reported = new ArrayList<>();
        Throwable unexpected = new IllegalStateException("unexpected");
        memory.handler((_, failure) -> reported.add(failure)).uncaughtException(Thread.currentThread(), unexpected);
        assertThat(reported).containsExactly(unexpected);

        Logger logger = (Logger) LoggerFactory.getLogger(OutOfMemory.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            memory.handler(null).uncaughtException(Thread.currentThread(), unexpected);
        } finally {
            logger.detachAppender(log);
        }

        assertThat(log.list).singleElement().satisfies(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.ERROR);
            assertThat(event.getThrowableProxy().getMessage()).isEqualTo("unexpected");
        });
        assertThat(halted).isEmpty();
    }

    @Test
    void oneThatAThreadSurvivesIsToldToWhoeverWatches() throws InterruptedException {
        Error full = new OutOfMemoryError("Java heap space");
        List<Throwable> reported = new ArrayList<>();
        Thread thread = Thread.ofPlatform()
                .uncaughtExceptionHandler((_, failure) -> reported.add(failure))
                .start(() -> {
                    OutOfMemory.notice(full);
                    OutOfMemory.notice(new IllegalStateException("another"));
                });
        thread.join();

        assertThat(reported).containsExactly(full);
    }
}
