package io.taskmaster.stage.local;

import static java.util.Objects.requireNonNull;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.local.admission.AdmissionRule;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * The settings of the finite queue between a stage and its producers. Immutable: a method that sets something returns a
 * changed copy.
 *
 * @param capacity the credits of all waiting events together
 * @param concurrency the number of workers that handle events at once; with 1, events are handled in order
 * @param controller the controller of the concurrency; absent: it is fixed
 * @param isBlocking whether the handler may block: then its workers are virtual threads, not the threads that all
 *     stages share
 * @param cost the credits of an event, at least 1; the default is 1 for each
 * @param serviceClass the class of an event. {@code INTERACTIVE} ones go first, but one in eight is a {@code BULK} one
 *     that waits. Absent: all are {@code INTERACTIVE}
 * @param admission the rule for events that are let in while there are credits; absent: all are
 * @param overflow the treatment of events that are not let in
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

    /**
     * The largest capacity. Each credit has a place in the queue from the beginning, of 12 to 24 bytes for each service
     * class.
     */
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

    /** Sets a controller of the number of workers. */
    public Boundary<E> concurrency(Controller decides) {
        return new Boundary<>(
                capacity, decides.setting(), Optional.of(decides), isBlocking, cost, serviceClass, admission, overflow);
    }

    /** Lets the handler block: its workers are virtual threads. */
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

    public Boundary<E> overflow(Overflow<E> overflow) {
        return new Boundary<>(capacity, concurrency, controller, isBlocking, cost, serviceClass, admission, overflow);
    }

    /** Returns whether it would shed events by class, but has no classes. */
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

    static void within(String name, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException("%s: %d (expected: 1 to %d)".formatted(name, value, max));
        }
    }
}
