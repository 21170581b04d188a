package io.taskmaster.stage.local;

import static java.util.Objects.requireNonNull;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.control.Controller;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * What is between a stage and those that offer it events: a finite queue. Immutable: a method that sets something returns a changed copy.
 *
 * @param capacity credits that the events which wait have in all
 * @param concurrency how many workers handle events at once; with 1, in their order
 * @param controller who decides on the concurrency; absent: it stays as it is set
 * @param isBlocking whether the handler may block: then its workers are virtual threads, not those that all stages share
 * @param cost credits of an event, at least 1; the default is 1 for each
 * @param serviceClass of an event. INTERACTIVE ones go first, but one in eight is a BULK one that waits. Absent: all are alike
 * @param admission which events are let in while there is room; absent: all
 * @param overflow what happens to those that are not
 */
public record Boundary<E>(
        int capacity,
        int concurrency,
        Optional<Controller> controller,
        boolean isBlocking,
        Optional<ToIntFunction<? super E>> cost,
        Optional<Function<? super E, ServiceClass>> serviceClass,
        Optional<AdmissionRule> admission,
        Overflow<E> overflow) {

    /** The largest capacity: each credit has a place in the queue from the beginning, of 12 to 24 bytes for each class of events. */
    public static final int MAX_CAPACITY = 1 << 22;

    public Boundary {
        within("capacity", capacity, MAX_CAPACITY);
        within("concurrency", concurrency, LocalStage.MAX_CONCURRENCY);
    }

    static <E> Boundary<E> of(int capacity) {
        return new Boundary<>(
                capacity,
                1,
                Optional.empty(),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Overflow.reject());
    }

    public Boundary<E> concurrency(int workers) {
        return new Boundary<>(capacity, workers, Optional.empty(), isBlocking, cost, serviceClass, admission, overflow);
    }

    /** As many workers as a controller says. */
    public Boundary<E> concurrency(Controller decides) {
        return new Boundary<>(
                capacity, decides.setting(), Optional.of(decides), isBlocking, cost, serviceClass, admission, overflow);
    }

    /** Its handler may block. */
    public Boundary<E> blocking() {
        return new Boundary<>(capacity, concurrency, controller, true, cost, serviceClass, admission, overflow);
    }

    public Boundary<E> cost(ToIntFunction<? super E> credits) {
        return new Boundary<>(
                capacity, concurrency, controller, isBlocking, Optional.of(credits), serviceClass, admission, overflow);
    }

    public Boundary<E> serviceClass(Function<? super E, ServiceClass> of) {
        return new Boundary<>(
                capacity, concurrency, controller, isBlocking, cost, Optional.of(of), admission, overflow);
    }

    public Boundary<E> admission(AdmissionRule rule) {
        return new Boundary<>(
                capacity, concurrency, controller, isBlocking, cost, serviceClass, Optional.of(rule), overflow);
    }

    public Boundary<E> overflow(Overflow<E> what) {
        return new Boundary<>(capacity, concurrency, controller, isBlocking, cost, serviceClass, admission, what);
    }

    /** Whether it is to tell events from each other by their class, and cannot. */
    boolean shedsAlike() {
        return overflow instanceof Overflow.Shed && serviceClass.isEmpty();
    }

    int costOf(E event) {
        requireNonNull(event, "event");
        int credits = cost.map(of -> of.applyAsInt(event)).orElse(1);
        if (credits < 1) {
            throw new IllegalArgumentException("cost: %d (expected: 1 or more)".formatted(credits));
        }
        return credits;
    }

    ServiceClass classOf(E event) {
        return serviceClass.isPresent()
                ? requireNonNull(serviceClass.get().apply(event), "the service class of an event")
                : ServiceClass.INTERACTIVE;
    }

    static void within(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException("%s: %d (expected: 1 to %d)".formatted(name, value, most));
        }
    }
}
