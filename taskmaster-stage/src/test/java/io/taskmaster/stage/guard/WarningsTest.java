package io.taskmaster.stage.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.stage.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** Tests of the rate of a stage's warnings. */
final class WarningsTest {

    private final SimulatedTime time = new SimulatedTime(new SplittableRandom(1));
    private final Log log = new Log();
    private final Warnings warnings = new Warnings("stage in", log, time);

    /** A logger that keeps warnings and, like some logging systems, fails at exceptions without a message. */
    private static final class Log extends AbstractLogger {

        private static final long serialVersionUID = 1;

        final transient List<String> warnings = new ArrayList<>();
        transient int debugs;

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                Object @Nullable [] arguments,
                @Nullable Throwable thrown) {
            String text = MessageFormatter.basicArrayFormat(pattern, arguments)
                    + (thrown == null ? "" : " | " + thrown.getMessage());
            if (level == Level.WARN) {
                warnings.add(text);
            } else {
                debugs++;
            }
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isTraceEnabled(Marker marker) {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled(Marker marker) {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled(Marker marker) {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled(Marker marker) {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled(Marker marker) {
            return true;
        }
    }

    private void pass(Duration span) {
        time.run(span);
    }

    @Test
    void oneCauseIsToldOnceInTenSecondsWithACount() {
        for (int i = 0; i < 450; i++) {
            warnings.warn("handler", "a task is tried again", null);
            pass(Duration.ofMillis(100));
        }
        assertThat(log.warnings)
                .containsExactly(
                        "stage in: a task is tried again",
                        "stage in: a task is tried again (and 99 more since the last warning)",
                        "stage in: a task is tried again (and 99 more since the last warning)",
                        "stage in: a task is tried again (and 99 more since the last warning)",
                        "stage in: a task is tried again (and 99 more since the last warning)");
        assertThat(log.debugs).isEqualTo(445);
    }

    @Test
    void causesDoNotHideEachOther() {
        warnings.warn("handler", "one", null);
        warnings.warn("tracing", "other", new IllegalStateException("why"));
        assertThat(log.warnings).containsExactly("stage in: one", "stage in: other | why");
    }

    @Test
    void exceptionThatCannotBeLoggedIsNamed() {
        warnings.warn("handler", "one", new IllegalStateException() {
            private static final long serialVersionUID = 1;

            @Override
            public String getMessage() {
                throw new IllegalStateException("no message");
            }
        });
        assertThat(log.warnings).singleElement().asString().contains("one", "WarningsTest$1");
    }

    @Test
    void guardedCodeMayThrowAnything() {
        Guard guard = new Guard(warnings);
        guard.run("listener", () -> {
            throw new StackOverflowError("deep");
        });
        assertThat(guard.get("rule", () -> null, "otherwise")).isEqualTo("otherwise");
        assertThat(log.warnings).hasSize(2);
    }
}
