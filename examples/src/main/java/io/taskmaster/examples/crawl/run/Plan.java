package io.taskmaster.examples.crawl.run;

import io.taskmaster.examples.crawl.StageName;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run is asked to do. Immutable.
 *
 * @param server a server to use; absent: one of our own
 * @param store where one of our own keeps its data
 * @param fresh whether to forget earlier runs
 * @param workers how many processes each stage gets
 */
public record Plan(
        DemoFolder folder, Optional<String> server, DemoStore store, boolean fresh, Map<StageName, Integer> workers) {

    /** A worker lives for seconds: the first compiler is worth its time, the second is not. */
    private static final List<String> WORKER_FLAGS = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");

    public Plan {
        workers = Map.copyOf(workers);
    }

    List<String> worker(StageName stage, String name, String address, URI site) {
        return JavaCommand.of(
                WORKER_FLAGS,
                List.of(
                        "worker",
                        "--stage=" + stage,
                        "--name=" + name,
                        "--server=" + address,
                        "--site=" + site,
                        "--index=" + folder.index()));
    }
}
