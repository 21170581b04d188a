package io.taskmaster.stage.local;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A base of tests with local stages that record the events which they handle and drop; nothing happens concurrently.
 */
abstract class SomeStages {

    static final Duration SHORT = Duration.ofSeconds(1);

    final SimulatedStages world = new SimulatedStages();
    final LocalStages stages = world.stages;
    final List<String> handled = new ArrayList<>();
    final List<String> dropped = new ArrayList<>();

    LocalStage<String> bounded(int capacity, UnaryOperator<Boundary<String>> settings) {
        return stages.add("s", s -> s.handler(handled::add).onDrop(this::drop).boundary(capacity, settings));
    }

    void drop(String event, Drop drop) {
        dropped.add("%s %s %s".formatted(event, drop.cause(), drop.text()));
    }

    static ServiceClass classOf(String event) {
        return event.startsWith("bulk") ? ServiceClass.BULK : ServiceClass.INTERACTIVE;
    }

    static Cause causeOf(Admission admission) {
        return ((Admission.Refused) admission).cause();
    }
}
