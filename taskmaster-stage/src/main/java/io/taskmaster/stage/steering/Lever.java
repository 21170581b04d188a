package io.taskmaster.stage.steering;

import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.control.Sample;
import io.taskmaster.stage.guard.Warnings;
import java.util.function.IntConsumer;

/** A setting of a stage, and who decides on it. Owned by its {@link Steering}. */
public final class Lever {

    private final IntConsumer setting;
    private Controller controller;

    /**
     * @param setting changes it; hears nothing as long as it stays the same, and may refuse by an {@link IllegalArgumentException}
     */
    public Lever(Controller controller, IntConsumer setting) {
        this.controller = controller;
        this.setting = setting;
    }

    /** False: its controller failed, and is asked no more. */
    @SuppressWarnings("CatchingUnchecked") // Whatever a controller throws, the stage keeps its setting.
    boolean pull(Sample sample, Warnings warnings) {
        int before;
        int now;
        try {
            before = controller.setting();
            controller = controller.after(sample);
            now = controller.setting();
        } catch (Throwable e) {
            return failed(warnings, e);
        }
        try {
            if (now != before) {
                setting.accept(now);
            }
            return true;
        } catch (IllegalArgumentException refused) {
            return failed(warnings, refused);
        }
    }

    private static boolean failed(Warnings warnings, Throwable why) {
        warnings.warn("controller", "a controller failed, and what it set stays as it is", why);
        return false;
    }
}
