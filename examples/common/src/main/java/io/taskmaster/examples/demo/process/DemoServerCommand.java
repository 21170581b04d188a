package io.taskmaster.examples.demo.process;

import io.taskmaster.cli.Main;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** The command of the server process: {@code taskmaster server}, which ends with the demo. */
@Command(name = "server", hidden = true, description = "The server of the demo; started by the demo itself.")
public final class DemoServerCommand implements Callable<Integer> {

    @Unmatched
    private List<String> options = new ArrayList<>();

    @Override
    public Integer call() {
        ParentProcess.exitWithIt();
        List<String> arguments = new ArrayList<>(List.of("server"));
        arguments.addAll(options);
        Main.main(arguments.toArray(String[]::new));
        return 0;
    }
}
