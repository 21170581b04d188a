package io.taskmaster.proxy.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.taskmaster.proxy.config.ConfigException;
import io.taskmaster.proxy.config.PortSetting;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parsed access file: roles and names by credential. Each line is {@code ROLE NAME CREDENTIAL}; a name may have
 * several lines, a credential only one. Empty lines and those that begin with {@code #} are ignored. Immutable.
 */
final class AccessList {

    private static final Pattern LINE = Pattern.compile("(\\S+)\\s+(\\S+)\\s+(\\S.*)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");
    private static final String SHA256 = "sha256:";

    private final Map<TokenHash, Identity> tokens = new HashMap<>();

    /** Certificate names, in the order of the file. */
    private final Map<CertificateName, Identity> certificates = new LinkedHashMap<>();

    private AccessList() {}

    /**
     * Parses a file.
     *
     * @param clientCertificatesRequested whether the ports request client certificates
     * @throws ConfigException that names the line, and never what stands in the place of a credential
     */
    static AccessList parse(byte[] file, boolean clientCertificatesRequested) {
        var list = new AccessList();
        int number = 0;
        for (String line : text(file).lines().map(String::strip).toList()) {
            number++;
            if (!line.isEmpty() && !line.startsWith("#")) {
                list.add(line, number, clientCertificatesRequested);
            }
        }
        if (list.tokens.isEmpty() && list.certificates.isEmpty()) {
            throw broken("", "at least one line ROLE NAME CREDENTIAL");
        }
        return list;
    }

    private void add(String line, int number, boolean clientCertificatesRequested) {
        String location = ", line " + number;
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw broken(location, "ROLE NAME CREDENTIAL");
        }
        Identity identity = new Identity(name(parts.group(2), location), role(parts.group(1), location));
        String credential = parts.group(3);
        if (credential.startsWith(SHA256)) {
            TokenHash hash = TokenHash.parse(credential.substring(SHA256.length()))
                    .orElseThrow(() -> broken(location, SHA256 + " followed by 64 hexadecimal digits"));
            once(tokens.put(hash, identity) == null, location);
            return;
        }
        CertificateName certificate = CertificateName.parse(credential)
                .orElseThrow(() -> broken(location, SHA256 + "HEX, dns:NAME, uri:URI or cn:NAME as the credential"));
        if (!clientCertificatesRequested) {
            throw broken(location, "a token, or a certificate if " + PortSetting.TLS_CLIENT_CA.key() + " is set");
        }
        once(certificates.put(certificate, identity) == null, location);
    }

    private static Role role(String text, String location) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "read" -> Role.READ;
            case "full" -> Role.FULL;
            default -> throw broken(location, "read or full as the role");
        };
    }

    private static String name(String text, String location) {
        if (!isName(text)) {
            throw broken(location, "1 to 64 letters, digits, ., _, @ and - as the name");
        }
        return text;
    }

    /**
     * Returns whether a text may be a name: it fits into one line of a log, and has no parentheses, which mark the
     * names of callers that were not authenticated.
     */
    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns a line as {@link #parse} reads it. */
    static String line(Identity identity, TokenHash token) {
        return identity.role().name().toLowerCase(Locale.ROOT) + " " + identity.name() + " " + SHA256 + token;
    }

    private static void once(boolean first, String location) {
        if (!first) {
            throw broken(location, "each credential once");
        }
    }

    private static String text(byte[] file) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(file)).toString();
        } catch (CharacterCodingException e) {
            throw broken("", "UTF-8");
        }
    }

    private static ConfigException broken(String location, String expected) {
        return new ConfigException(
                PortSetting.ACCESS_FILE.key() + location + ": invalid (expected: " + expected + ")", null);
    }

    /**
     * Returns the identity of a caller with these credentials. A token takes precedence over a certificate, even if it
     * is unknown; of several names of a certificate, the first in the file counts.
     */
    Optional<Identity> identify(PresentedCredentials credentials) {
        if (credentials.token().isPresent()) {
            return credentials.token().map(tokens::get);
        }
        if (credentials.certificate().isEmpty() || certificates.isEmpty()) {
            return Optional.empty();
        }
        Set<CertificateName> names =
                CertificateName.of(credentials.certificate().get());
        return certificates.entrySet().stream()
                .filter(line -> names.contains(line.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
