package io.taskmaster.examples.demo;

import io.taskmaster.examples.demo.process.DemoFolder;
import io.taskmaster.examples.demo.process.DemoStore;
import java.util.Optional;

/**
 * The settings of a run. Immutable.
 *
 * @param program the main class of the processes that the run starts
 * @param server the address of a server to use; absent: the run starts its own
 * @param store the store of its own server
 * @param fresh whether to delete the data of earlier runs
 * @param keep whether to keep the processes that the run has started, after the work is done
 * @param launcher the command of the shell that starts {@code taskmaster}
 * @param again the command of the shell that runs the demo again, with the same folder, and server or store
 */
record DemoPlan(
        DemoFolder folder,
        Class<?> program,
        Optional<String> server,
        DemoStore store,
        boolean fresh,
        boolean keep,
        String launcher,
        String again) {}
