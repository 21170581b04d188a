package io.taskmaster.server.partition.fair;

import org.jspecify.annotations.Nullable;

/** A list of members in the order of their turns. Each operation takes the same few steps, however many there are. Single-threaded. */
final class Ring<T> {

    /** A member's place in a ring; it belongs to one ring for good. */
    static final class Place<T> {

        private final T member;
        private @Nullable Place<T> before;
        private @Nullable Place<T> after;
        private boolean taken;

        Place(T member) {
            this.member = member;
        }

        boolean isTaken() {
            return taken;
        }
    }

    private @Nullable Place<T> first;
    private @Nullable Place<T> last;

    /** Whose turn it is; null: nobody is here. */
    @Nullable
    T first() {
        Place<T> place = first;
        return place == null ? null : place.member;
    }

    /** Adds a member behind all others. */
    void add(Place<T> place) {
        place.taken = true;
        place.before = last;
        if (last == null) {
            first = place;
        } else {
            last.after = place;
        }
        last = place;
    }

    /** Takes a member out, wherever it is. */
    void remove(Place<T> place) {
        Place<T> before = place.before;
        Place<T> after = place.after;
        if (before == null) {
            first = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before = before;
        }
        place.before = null;
        place.after = null;
        place.taken = false;
    }

    /** The turn of a member is over. */
    void moveBehindAll(Place<T> place) {
        if (place != last) {
            remove(place);
            add(place);
        }
    }
}
