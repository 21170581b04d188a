package io.taskmaster.stage.steering;

import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.control.Sample;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A setting of a stage, and who decides on it. Owned by its {@link Steering}. */
public final class Lever {

    private static final Logger LOG = LoggerFactory.getLogger(Lever.class);

    private final IntConsumer setting;
    private Controller controller;

    /**
     * @param setting changes it; hears nothing as long as it stays the same, and may refuse by an exception
     */
    public Lever(Controller controller, IntConsumer setting) {
        this.controller = controller;
        this.setting = setting;
    }

    /** False: its controller failed, and is asked no more. */
    @SuppressWarnings("CatchingUnchecked") // Whatever a controller throws, the stage keeps its setting.
    boolean pull(Sample sample, String stage) {
        try {
            int before = controller.setting();
            controller = controller.after(sample);
            int now = controller.setting();
            if (now != before) {
                setting.accept(now);
            }
            return true;
        } catch (Throwable e) {
            LOG.error("{}: a controller failed, and what it set stays as it is", stage, e);
            return false;
        }
    }
}
