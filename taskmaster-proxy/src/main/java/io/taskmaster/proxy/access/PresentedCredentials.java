package io.taskmaster.proxy.access;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The credentials of a request. No secret is held: of a token only the hash. Immutable. */
public final class PresentedCredentials {

    private static final Pattern BEARER = Pattern.compile("(?i:bearer) +(\\S+) *");

    /** The hash of a token that does not exist. */
    private static final TokenHash UNKNOWN = TokenHash.of(UUID.randomUUID().toString());

    private final boolean ambiguous;
    private final Optional<TokenHash> token;
    private final Optional<X509Certificate> certificate;

    private PresentedCredentials(boolean ambiguous, Optional<TokenHash> token, Optional<X509Certificate> certificate) {
        this.ambiguous = ambiguous;
        this.token = token;
        this.certificate = certificate;
    }

    /**
     * Returns the credentials of a request.
     *
     * @param authorization all headers of that name. Anything but a bearer token counts as an unknown token, so that it
     *     is refused and not ignored
     * @param chain the client's certificates, its own first; empty: none. TLS has verified the chain, and that the
     *     client has the key
     */
    public static PresentedCredentials of(List<String> authorization, Certificate[] chain) {
        return new PresentedCredentials(
                authorization.size() > 1,
                authorization.stream().map(PresentedCredentials::hash).findFirst(),
                chain.length > 0 && chain[0] instanceof X509Certificate own ? Optional.of(own) : Optional.empty());
    }

    private static TokenHash hash(String authorization) {
        Matcher bearer = BEARER.matcher(authorization);
        return bearer.matches() ? TokenHash.of(bearer.group(1)) : UNKNOWN;
    }

    Optional<TokenHash> token() {
        return token;
    }

    Optional<X509Certificate> certificate() {
        return certificate;
    }

    /**
     * Returns whether there are several tokens: a proxy in front may have checked another one than this server would.
     */
    boolean isAmbiguous() {
        return ambiguous;
    }

    boolean isEmpty() {
        return token.isEmpty() && certificate.isEmpty();
    }
}
