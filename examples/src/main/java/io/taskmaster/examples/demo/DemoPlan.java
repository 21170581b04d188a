package io.taskmaster.examples.demo;

import io.taskmaster.examples.demo.process.DemoFolder;
import io.taskmaster.examples.demo.process.DemoStore;
import java.util.Optional;

/**
 * What a run is asked to do. Immutable.
 *
 * @param server a server to use; absent: one of our own
 * @param store where one of our own keeps its data
 * @param fresh whether to forget earlier runs
 */
record DemoPlan(DemoFolder folder, Optional<String> server, DemoStore store, boolean fresh) {}
