package io.taskmaster.cli.common;

import io.taskmaster.client.ServiceClass;
import picocli.CommandLine.Option;

/** The option {@code --service-class}. */
public final class UrgencyOption {

    @Option(
            names = "--service-class",
            paramLabel = "CLASS",
            defaultValue = "interactive",
            description = "interactive, or bulk: an overloaded server rejects bulk requests first (default:"
                    + " ${DEFAULT-VALUE}).")
    private ServiceClass serviceClass = ServiceClass.INTERACTIVE;

    public ServiceClass serviceClass() {
        return serviceClass;
    }
}
