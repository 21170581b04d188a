package io.taskmaster.cli;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.VersionLine;
import io.taskmaster.proxy.access.Role;
import io.taskmaster.proxy.access.Token;
import io.taskmaster.proxy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code taskmaster token}: creates a token. This is the only place where a token is shown. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        description = {
            "Creates a token.",
            "Prints its line for the access file of a server, and on standard error the token itself, this only time."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  taskmaster token full alice --token-file alice.token >> access",
            "  taskmaster token read dashboard"
        })
final class TokenCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "ROLE", description = "Role: read or full.")
    private String role = "";

    @Parameters(paramLabel = "NAME", description = "Name of its owner, for the audit log.")
    private String name = "";

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "New file for the token, readable only by you (default: the token is printed on standard error).")
    private Optional<Path> file = Optional.empty();

    TokenCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Token token = make();
        if (file.isPresent()) {
            write(file.get(), token.secret());
        } else {
            terminal.err().println(token.secret());
        }
        terminal.out().println(token.line());
        return 0;
    }

    private Token make() {
        Role granted = switch (role.toLowerCase(Locale.ROOT)) {
            case "read" -> Role.READ;
            case "full" -> Role.FULL;
            default -> throw new ParameterException(spec.commandLine(), "ROLE: " + role + " (expected: read or full)");
        };
        try {
            return Token.make(granted, name);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private static void write(Path file, String secret) {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, secret + "\n", StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new ConfigException("--token-file: " + file + " (expected: a new file in a folder of yours)", e);
        }
    }
}
