package io.taskmaster.stage.steering;

import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.control.Sample;
import io.taskmaster.stage.guard.Warnings;
import java.util.function.IntConsumer;

/** A setting of a stage, and the controller of it. Single-threaded: owned by its {@link ControlLoop}. */
public final class Actuator {

    private final IntConsumer setting;
    private Controller controller;

    /** @param setting applies a changed setting; may refuse it by an {@link IllegalArgumentException} */
    public Actuator(Controller controller, IntConsumer setting) {
        this.controller = controller;
        this.setting = setting;
    }

    /**
     * Shows the controller a sample, and applies its setting if that has changed. Returns false if the controller
     * failed, or its setting was refused; then the lever is not to be used again.
     */
    @SuppressWarnings("CatchingUnchecked") // A controller's exception must not end the stage, which keeps its setting.
    boolean adjust(Sample sample, Warnings warnings) {
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

    private static boolean failed(Warnings warnings, Throwable failure) {
        warnings.warn("controller", "a controller failed; its last setting stays in effect", failure);
        return false;
    }
}
