package io.taskmaster.server.partition.fair;

import org.jspecify.annotations.Nullable;

/** A list of members in round-robin order. Every operation takes constant time. Single-threaded. */
final class Ring<T> {

    /** The place of a member; it belongs to one ring for good. */
    static final class Place<T> {

        private final T member;
        private @Nullable Place<T> before;
        private @Nullable Place<T> after;
        private boolean linked;

        Place(T member) {
            this.member = member;
        }

        boolean isLinked() {
            return linked;
        }
    }

    private @Nullable Place<T> first;
    private @Nullable Place<T> last;

    /** The next member to be served; null if the ring is empty. */
    @Nullable
    T first() {
        Place<T> place = first;
        return place == null ? null : place.member;
    }

    /** Adds a member behind all others. */
    void add(Place<T> place) {
        place.linked = true;
        place.before = last;
        if (last == null) {
            first = place;
        } else {
            last.after = place;
        }
        last = place;
    }

    /** Removes a member from any position. */
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
        place.linked = false;
    }

    /** Moves a member behind all others: its service opportunity is over. */
    void moveToEnd(Place<T> place) {
        if (place != last) {
            remove(place);
            add(place);
        }
    }
}
