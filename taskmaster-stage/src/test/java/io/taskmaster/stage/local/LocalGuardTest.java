package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.Answerable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests of exceptions in all functions of the application that a local stage calls; see also
 * {@link ControlledStageTest}.
 */
final class LocalGuardTest extends SomeStages {

    /** An exception without a message or a text. */
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new StackOverflowError("no message");
        }
    }

    /** An event whose waiter throws when it is notified. */
    private static final class Awaited implements Answerable {

        private final List<String> reported = new ArrayList<>();

        @Override
        public void dropped(String reason) {
            reported.add(reason);
            throw new Unspeakable();
        }

        @Override
        public boolean isCancelled() {
            throw new Unspeakable();
        }
    }

    @Test
    void whoWaitsForAnEventIsToldWhateverIsThrown() {
        LocalStage<Awaited> stage = stages.add(
                "s",
                s -> s.handler(_ -> {
                            throw new Unspeakable();
                        })
                        .onDrop((_, _) -> {
                            throw new Unspeakable();
                        })
                        .timed((_, _) -> {
                            throw new Unspeakable();
                        })
                        .boundary(10, boundary -> boundary));
        List<Awaited> events = List.of(new Awaited(), new Awaited());
        events.forEach(event -> assertThat(stage.offer(event).isTaken()).isTrue());
        world.work();

        assertThat(events)
                .allSatisfy(event ->
                        assertThat(event.reported).singleElement().asString().contains(Unspeakable.class.getName()));
        assertThat(stage.status().dropped(Drop.Cause.FAILED)).isEqualTo(2);
        assertThat(stage.status().waiting()).isZero();
        assertThat(stage.status().workers()).isZero();
    }

    @Test
    void batchIsDroppedAsAWholeWhateverIsThrown() {
        LocalStage<Awaited> stage = stages.add(
                "s",
                s -> s.batchHandler(10, (_, _) -> {
                            throw new Unspeakable();
                        })
                        .boundary(10, boundary -> boundary));
        List<Awaited> events = List.of(new Awaited(), new Awaited());
        events.forEach(event -> assertThat(stage.offer(event).isTaken()).isTrue());
        world.work();
        assertThat(events).allSatisfy(event -> assertThat(event.reported).hasSize(1));
    }

    @Test
    @SuppressWarnings("NullAway") // An application may not check its results.
    void eventThatCannotBeJudgedIsItsProducersAndTakesNoRoom() {
        LocalStage<String> stage = bounded(
                10,
                boundary -> boundary.serviceClass(event -> event.isEmpty() ? null : ServiceClass.BULK)
                        .cost(String::length));
        assertThatThrownBy(() -> stage.offer("")).isInstanceOf(RuntimeException.class);
        assertThat(stage.offer("event").isTaken()).isTrue();
        assertThat(stage.status().waiting()).isEqualTo(5);
        world.work();
        assertThat(stage.status().waiting()).isZero();
    }

    @Test
    void admissionRuleThatThrowsTakesNoRoom() {
        LocalStage<String> stage = bounded(
                10,
                boundary -> boundary.admission(_ -> _ -> {
                    throw new Unspeakable();
                }));
        assertThatThrownBy(() -> stage.offer("event")).isInstanceOf(Unspeakable.class);
        assertThat(stage.status().waiting()).isZero();
    }
}
