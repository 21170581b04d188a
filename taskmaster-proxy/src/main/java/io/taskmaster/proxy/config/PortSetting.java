package io.taskmaster.proxy.config;

/** The settings of a process with TaskMaster's ports: a node, or a proxy before nodes. */
public enum PortSetting implements Setting {
    LISTEN("listen", "127.0.0.1:7400", "Host and port of the gRPC service; port 0 takes any free port."),
    HTTP(
            "http",
            "127.0.0.1:7480",
            "Host and port of the HTTP service (`/v1/…` in JSON, `/healthz`); port 0 takes any free port."),
    ACCESS_FILE(
            "access.file",
            "",
            "The [access file](security.md): one line per role, name and credential. It is reloaded when it changes. Empty: every caller that"
                    + " reaches a port may do everything."),
    TLS_CERTIFICATE(
            "tls.certificate",
            "",
            "PEM: the certificate of this server and its intermediates; both ports then accept TLS only. This file, the key and the client"
                    + " authorities are reloaded when they change."),
    TLS_KEY("tls.key", "", "PEM: the private key of the certificate, RSA or EC, in PKCS #8 and without a password."),
    TLS_CLIENT_CA(
            "tls.client-ca",
            "",
            "PEM: the authorities of client certificates, which the server then requests; `access.file` maps certificates to roles."),
    CONNECTIONS_MAX(
            "connections.max",
            "auto",
            "Maximum open connections of each port; further ones are closed at once. `auto`: 10,000. Lowered if the process may open too few"
                    + " files, so that the store keeps enough of them ([limits](limits.md))."),
    CONNECTIONS_MAX_PER_ADDRESS(
            "connections.max-per-address",
            "2000",
            "Maximum connections from one address; behind a proxy or NAT raise it to the value of `connections.max`."),
    IN_FLIGHT_REQUESTS(
            "in-flight.requests",
            "100000",
            "Maximum unanswered requests, long polls included; above it, `OVERLOADED`. The last eighth is reserved for callers below their share."),
    IN_FLIGHT_BYTES(
            "in-flight.bytes",
            "25%",
            "Maximum bytes of requests and replies in flight; above it, `OVERLOADED`. The last eighth is reserved for callers below their share."),
    SHUTDOWN_TIMEOUT("shutdown.timeout", "10s", "Maximum time that a shutdown waits for requests in flight."),
    LOG_FORMAT("log.format", "text", "Format of log lines: `text` or `json`.");

    private final String key;
    private final String defaultValue;
    private final String description;

    PortSetting(String key, String defaultValue, String description) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.description = description;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public String defaultValue() {
        return defaultValue;
    }

    @Override
    public String description() {
        return description;
    }
}
