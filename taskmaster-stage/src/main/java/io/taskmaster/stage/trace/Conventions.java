package io.taskmaster.stage.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;

/**
 * The attribute names of OpenTelemetry's conventions for messaging. They are not stable yet, so there is no artifact to
 * depend on. Attributes that the conventions lack are named under the messaging system, as they ask for.
 */
final class Conventions {

    static final String PROCESS = "process";

    static final AttributeKey<String> TEMPLATE = AttributeKey.stringKey("messaging.destination.template");
    static final AttributeKey<Long> BATCH_COUNT = AttributeKey.longKey("messaging.batch.message_count");
    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    static final AttributeKey<String> GROUP = AttributeKey.stringKey("messaging.taskmaster.group");
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("messaging.taskmaster.attempt");
    static final AttributeKey<Double> WAIT = AttributeKey.doubleKey("messaging.taskmaster.wait");
    static final AttributeKey<String> END = AttributeKey.stringKey("messaging.taskmaster.end");
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("messaging.taskmaster.outcome");
    static final AttributeKey<String> REASON = AttributeKey.stringKey("messaging.taskmaster.reason");

    /** The attributes of every span. */
    static final Attributes PROCESSING = Attributes.of(
            AttributeKey.stringKey("messaging.system"),
            "taskmaster",
            AttributeKey.stringKey("messaging.operation.name"),
            PROCESS,
            AttributeKey.stringKey("messaging.operation.type"),
            PROCESS);

    private static final AttributeKey<String> DESTINATION = AttributeKey.stringKey("messaging.destination.name");
    private static final AttributeKey<String> MESSAGE = AttributeKey.stringKey("messaging.message.id");

    private Conventions() {}

    /** Returns the attributes that identify a task. */
    static Attributes ofMessage(Task<?> task) {
        return Attributes.of(
                DESTINATION,
                task.lease().queue().name().toString(),
                MESSAGE,
                task.pid().toString());
    }

    /** Returns the time from the enqueue to this lease, in seconds. */
    static double waitSeconds(Stage<?> stage, Task<?> task) {
        return stage.settings().queued(task.lease()).toNanos() / 1e9;
    }
}
