package io.taskmaster.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.VersionLine;
import io.taskmaster.cli.manual.ManPage;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The hidden command {@code taskmaster man-pages}, with which release archives get their manual pages. */
@Command(
        hidden = true,
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        description = "Writes the manual pages of all commands to a folder.",
        footerHeading = "%nExamples:%n",
        footer = "  taskmaster man-pages target/man")
final class ManPagesCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final CommandLine root;

    @Parameters(paramLabel = "DIR", description = "The folder. It is created if there is none.")
    private Path folder = Path.of("");

    ManPagesCommand(Terminal terminal, CommandLine root) {
        this.terminal = terminal;
        this.root = root;
    }

    @Override
    public Integer call() {
        try {
            Files.createDirectories(folder);
            for (ManPage page : ManPage.all(root.getCommandSpec(), Version.current())) {
                Files.writeString(folder.resolve(page.file()), page.roff(), UTF_8);
            }
            return ExitStatus.OK.code();
        } catch (IOException e) {
            terminal.err().println("taskmaster: %s: cannot be written (%s)".formatted(folder, e));
            return ExitStatus.FAILURE.code();
        }
    }
}
