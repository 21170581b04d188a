package io.taskmaster.proxy.access;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.config.AccessConfig;
import io.taskmaster.proxy.config.PortSetting;
import io.taskmaster.proxy.config.WatchedFiles;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Authentication and authorization of requests, for both ports. The access file is read again when it changes.
 * Thread-safe; does not block.
 */
public final class Access implements AutoCloseable {

    private final Optional<WatchedFiles> file;

    /** The parsed file; null without access control: every caller has full access. */
    private volatile @Nullable AccessList list;

    private Access(AccessConfig config, boolean certificates) {
        file = config.file()
                .map(path -> WatchedFiles.open(
                        PortSetting.ACCESS_FILE.key(),
                        List.of(path),
                        contents -> list = AccessList.parse(contents.getFirst(), certificates)));
    }

    /**
     * Opens access control by the settings. Blocks while it reads the file.
     *
     * @param certificates whether clients are asked for a certificate, so that the file may name some
     */
    public static Access open(AccessConfig config, boolean certificates) {
        return new Access(config, certificates);
    }

    /** Returns whether there is any access control. */
    public boolean isControlled() {
        return list != null;
    }

    /**
     * Returns the identity of a caller that has access, or throws a refusal. The refusal is audited if calls of the
     * endpoint are.
     *
     * @param endpoint a name as in {@link Rule#TABLE}
     * @param address of the caller, for the audit log; null if not known
     */
    public Identity admit(String endpoint, PresentedCredentials credentials, @Nullable SocketAddress address) {
        AccessList known = list;
        if (known == null) {
            return Identity.ANONYMOUS;
        }
        Rule rule = Rule.of(endpoint);
        // Before the credentials: wrong ones must not fail a health check.
        if (rule.role() == Role.NONE) {
            return Identity.UNKNOWN;
        }
        Identity identity = credentials.isAmbiguous()
                ? Identity.UNKNOWN
                : known.identify(credentials).orElse(Identity.UNKNOWN);
        if (identity.role().covers(rule.role())) {
            return identity;
        }
        TaskMasterException refusal =
                identity.role() == Role.NONE ? unknown(credentials) : tooMuch(endpoint, identity, rule.role());
        if (rule.recorded() == Rule.Recorded.ALL) {
            Audit.refused(endpoint, identity, Caller.format(address), refusal.code());
        }
        throw refusal;
    }

    private static TaskMasterException unknown(PresentedCredentials credentials) {
        if (credentials.isAmbiguous()) {
            return refusal(ErrorCode.UNAUTHENTICATED, "credentials: several tokens (expected: one token)");
        }
        return refusal(
                ErrorCode.UNAUTHENTICATED,
                "credentials: " + (credentials.isEmpty() ? "none" : "unknown")
                        + " (expected: a token or a client certificate that this server knows)");
    }

    private static TaskMasterException tooMuch(String endpoint, Identity identity, Role needed) {
        return refusal(
                ErrorCode.PERMISSION_DENIED,
                endpoint + ": " + identity.name() + " has the role " + identity.role() + " (expected: " + needed + ")");
    }

    private static TaskMasterException refusal(ErrorCode code, String message) {
        return TaskMasterException.withoutStackTrace(code, message, null, null);
    }

    /** Stops watching the file. Idempotent. */
    @Override
    public void close() {
        file.ifPresent(WatchedFiles::close);
    }
}
