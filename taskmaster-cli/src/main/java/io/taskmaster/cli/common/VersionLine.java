package io.taskmaster.cli.common;

import io.taskmaster.proxy.program.Version;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}. */
public final class VersionLine implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"taskmaster " + Version.current()};
    }
}
