package io.taskmaster.server.cli;

import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.RankRequest;
import io.taskmaster.model.GroupName;
import io.taskmaster.server.cli.screen.Key;
import java.util.List;
import java.util.Optional;

/**
 * What {@code top} shows, and how keys change that. Immutable.
 *
 * @param queues among which it chooses
 * @param group which it shows when it does not show all of them
 * @param reversed against the order's own direction
 * @param typed a pattern that is being typed
 */
record TopView(QueueSelector queues, GroupName group, TopOrder order, boolean reversed, Mode mode, String typed) {

    /** What keys are for. */
    enum Mode {
        TABLE,
        HELP,
        TYPING,
        /** Somebody has seen enough. */
        OVER
    }

    TopView(QueueSelector queues, GroupName group, TopOrder order, boolean reversed) {
        this(queues, group, order, reversed, Mode.TABLE, "");
    }

    /** What is to be asked for it. */
    RankRequest request(int maxQueues) {
        boolean descending = order.isDescending() != reversed;
        return new RankRequest(queues, order.order(), descending, maxQueues, Optional.empty());
    }

    boolean allGroups() {
        return queues.group().isEmpty();
    }

    /** After a key was pressed. */
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
