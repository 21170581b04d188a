package io.taskmaster.examples.demo;

import io.taskmaster.cli.common.ByteText;
import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.error.ErrorCode.Advice;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.examples.demo.Demo.Look;
import io.taskmaster.examples.demo.process.Children;
import io.taskmaster.examples.demo.process.DemoException;
import io.taskmaster.examples.demo.process.DemoServer;
import io.taskmaster.examples.demo.process.JavaCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A run of a demo. It starts the processes, begins or resumes the work, waits until it is done, and prints a summary. A
 * process that is killed is started again; if this process is killed, the next run resumes. Single-threaded, except
 * {@link #stop}.
 */
final class DemoRun {

    /** The line between the summary and the next steps. */
    static final String NEXT = "Next:";

    private static final Duration LOOK_EVERY = Duration.ofMillis(250);
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final DemoPlan plan;
    private final PrintWriter out;
    private final ProgressLine progress;
    private final Children children;
    private final CountDownLatch stopped = new CountDownLatch(1);

    /**
     * Creates a run.
     *
     * @param live whether {@code out} is a terminal
     */
    DemoRun(DemoPlan plan, PrintWriter out, boolean live) {
        this.plan = plan;
        this.out = out;
        this.progress = new ProgressLine(out, live, System::nanoTime);
        this.children = new Children(plan.folder());
    }

    /** Ends the run and all its processes, from another thread. Idempotent. Blocks. */
    void stop() {
        stopped.countDown();
        children.close();
    }

    /** Returns whether the run was stopped early. */
    boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /**
     * Runs to the end. Blocks.
     *
     * @throws DemoException if a process cannot be kept running
     */
    void run(Demo.Opener opener) throws IOException, InterruptedException {
        plan.folder().create();
        try (Demo demo = opener.open();
                Children all = children) {
            DemoServer server = plan.server()
                    .map(DemoServer::running)
                    .orElseGet(() -> DemoServer.start(all, plan.program(), plan.store()));
            try (TaskMasterClient client = TaskMasterClient.builder(server.address())
                    .deadline(DEADLINE)
                    .build()) {
                run(demo, client.blocking(), server);
            }
        }
    }

    private void run(Demo demo, BlockingClient client, DemoServer server) throws IOException, InterruptedException {
        awaitServer(demo, client);
        if (plan.fresh()) {
            // The queues are deleted first: results without queues are only computed again; queues without results
            // would count as done.
            client.delete(QueueSelector.matching(demo.group(), ".*"));
            demo.forget();
        }
        boolean resumed = !persist(() -> demo.begin(client));
        long begin = System.nanoTime();
        if (persist(() -> demo.look(client)).isOver() && resumed) {
            out.println("This " + demo.name() + " is complete; --fresh starts a new one.");
        } else {
            out.println(resumed ? "Going on with the " + demo.name() + "." : demo.opening());
            out.println("Watch it at %s".formatted(server.page().orElse("the web console of " + server.address())));
            out.flush();
            demo.workers(server.address())
                    .forEach((name, arguments) -> children.start(name, JavaCommand.worker(plan.program(), arguments)));
            watch(demo, client);
        }
        if (!isStopped()) {
            summarise(demo, client, Duration.ofNanos(System.nanoTime() - begin));
        }
        if (plan.keep() && !isStopped()) {
            keep(demo, server);
        }
    }

    /** Keeps the processes that the run has started until this one receives a signal to end. */
    private void keep(Demo demo, DemoServer server) throws InterruptedException {
        out.println();
        server.page().ifPresent(page -> out.println("The server keeps running: " + page));
        out.printf(
                "For commands in another terminal: --server %s --group %s%n",
                server.address(), ByteText.line(demo.group()));
        out.println("Ctrl-C ends it.");
        out.flush();
        while (!stopped.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
            children.check();
        }
    }

    private void awaitServer(Demo demo, BlockingClient client) throws IOException {
        long begin = System.nanoTime();
        persist(() -> {
            if (System.nanoTime() - begin > START_LIMIT.toNanos()) {
                throw new DemoException("server: silent for %d s".formatted(START_LIMIT.toSeconds()));
            }
            return client.list(ListRequest.of(QueueSelector.allIn(demo.group())).maxQueues(1));
        });
    }

    private void watch(Demo demo, BlockingClient client) throws IOException, InterruptedException {
        try {
            while (true) {
                Look now = persist(() -> demo.look(client));
                progress.show(now.line());
                if (now.isOver() || stopped.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } finally {
            progress.end();
        }
    }

    private void summarise(Demo demo, BlockingClient client, Duration took) throws IOException {
        out.printf(
                "Took %.1f s; %d processes had to be restarted; %s%n",
                took.toMillis() / 1000.0, children.restarts(), demo.result());
        persist(() -> demo.sum(client, took)).forEach(out::println);
        out.println();
        out.println(NEXT);
        List<NextStep> steps = List.of(
                demo.next(plan.again()),
                new NextStep(plan.again() + " --fresh --keep", "runs it again, and keeps its processes running"),
                new NextStep(plan.launcher() + " server", "starts a server of your own"));
        int width =
                steps.stream().mapToInt(step -> step.command().length()).max().orElse(0);
        steps.forEach(step -> out.println("  %s  # %s".formatted(padded(step.command(), width), step.purpose())));
        out.flush();
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    /**
     * Repeats a call while the server is away, for as long as its process can be kept alive. Only for idempotent calls.
     */
    private <T> T persist(Question<T> question) throws IOException {
        while (true) {
            children.check();
            try {
                return question.ask();
            } catch (TaskMasterException error) {
                Advice advice = error.code().advice();
                boolean passing = advice == Advice.RETRY_LATER || advice == Advice.OUTCOME_UNKNOWN;
                if (!passing || isStopped()) {
                    throw error;
                }
            }
        }
    }

    /** A call to the server, or to the demo's own parts. */
    private interface Question<T> {

        T ask() throws IOException;
    }
}
