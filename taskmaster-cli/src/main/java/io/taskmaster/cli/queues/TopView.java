package io.taskmaster.cli.queues;

import io.taskmaster.cli.screen.Key;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.RankRequest;
import io.taskmaster.model.GroupName;
import java.util.List;
import java.util.Optional;

/**
 * The view of {@code top}: selection, order and mode, with the effect of keys on them. Immutable.
 *
 * @param queues the selected queues
 * @param group the group to show when not all groups are shown
 * @param reversed whether the order is against its usual direction
 * @param typed the pattern that is being typed
 */
record TopView(QueueSelector queues, GroupName group, TopOrder order, boolean reversed, Mode mode, String typed) {

    /**
     * The mode of the keyboard.
     *
     * <pre>{@code
     * state       | event               | next   | effect
     * any         | interrupt, end      | OVER   |
     * TABLE, HELP | q                   | OVER   |
     * TABLE       | ?                   | HELP   |
     * HELP        | ?                   | TABLE  |
     * TABLE, HELP | /                   | TYPING | starts with the current pattern
     * TABLE, HELP | r, g, key of order  | TABLE  | changes direction, groups or order
     * TABLE, HELP | any other key       | TABLE  |
     * TYPING      | character, back     | TYPING | edits the pattern
     * TYPING      | enter               | TABLE  | applies the pattern in place of names and pattern
     * TYPING      | escape              | TABLE  | drops what was typed
     * }</pre>
     */
    enum Mode {
        TABLE,
        HELP,
        TYPING,
        /** The user has quit. */
        OVER
    }

    TopView(QueueSelector queues, GroupName group, TopOrder order, boolean reversed) {
        this(queues, group, order, reversed, Mode.TABLE, "");
    }

    /** Returns the request for this view. */
    RankRequest request(int maxQueues) {
        boolean descending = order.isDescending() != reversed;
        return new RankRequest(queues, order.order(), descending, maxQueues, Optional.empty());
    }

    boolean allGroups() {
        return queues.group().isEmpty();
    }

    /** Returns the view after a key. */
    TopView on(Key key) {
        if (key.equals(Key.INTERRUPT) || key.equals(Key.END)) {
            return in(Mode.OVER, "");
        }
        return mode == Mode.TYPING ? onWhileTyping(key) : onCommand(key);
    }

    private TopView onCommand(Key key) {
        return switch (key.code()) {
            case 'q' -> in(Mode.OVER, "");
            case '?' -> in(mode == Mode.HELP ? Mode.TABLE : Mode.HELP, "");
            case '/' -> in(Mode.TYPING, queues.pattern().orElse(""));
            case 'r' -> new TopView(queues, group, order, !reversed);
            case 'g' ->
                among(new QueueSelector(
                        allGroups() ? Optional.of(group) : Optional.empty(), queues.names(), queues.pattern()));
            default -> new TopView(queues, group, TopOrder.of(key.code()).orElse(order), reversed);
        };
    }

    private TopView onWhileTyping(Key key) {
        if (key.equals(Key.ENTER)) {
            Optional<String> pattern = Optional.of(typed).filter(text -> !text.isEmpty());
            return among(new QueueSelector(queues.group(), List.of(), pattern));
        } else if (key.equals(Key.ESCAPE)) {
            return in(Mode.TABLE, "");
        } else if (key.equals(Key.BACKSPACE)) {
            return in(
                    Mode.TYPING,
                    typed.substring(0, typed.isEmpty() ? 0 : typed.offsetByCodePoints(typed.length(), -1)));
        }
        return key.isPrintable() ? in(Mode.TYPING, typed + Character.toString(key.code())) : this;
    }

    private TopView among(QueueSelector others) {
        return new TopView(others, group, order, reversed);
    }

    private TopView in(Mode next, String text) {
        return new TopView(queues, group, order, reversed, next, text);
    }
}
