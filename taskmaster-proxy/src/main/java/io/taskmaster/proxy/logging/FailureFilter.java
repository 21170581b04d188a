package io.taskmaster.proxy.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * A filter that passes each logged failure to a consumer before it is written, at whatever level: libraries that catch
 * everything log what they catch. Thread-safe.
 */
final class FailureFilter extends TurboFilter {

    private final Consumer<Throwable> met;

    FailureFilter(Consumer<Throwable> met) {
        this.met = met;
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] parameters,
            @Nullable Throwable failure) {
        if (failure != null) {
            met.accept(failure);
        } else if (parameters != null
                && parameters.length > 0
                && parameters[parameters.length - 1] instanceof Throwable last) {
            met.accept(last);
        }
        return FilterReply.NEUTRAL;
    }
}
