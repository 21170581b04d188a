package io.taskmaster.server.cli;

import io.taskmaster.server.Version;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}. */
public final class VersionLine implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"taskmaster " + Version.current()};
    }
}
