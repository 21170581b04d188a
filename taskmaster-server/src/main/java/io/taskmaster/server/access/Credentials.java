package io.taskmaster.server.access;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a request shows for itself. Holds no secret: of a token only the hash. Immutable. */
public final class Credentials {

    private static final Pattern BEARER = Pattern.compile("(?i:bearer) +(\\S+) *");

    /** Of a token that nobody has. */
    private static final TokenHash UNKNOWN = TokenHash.of(UUID.randomUUID().toString());

    private final boolean ambiguous;
    private final Optional<TokenHash> token;
    private final Optional<X509Certificate> certificate;

    private Credentials(boolean ambiguous, Optional<TokenHash> token, Optional<X509Certificate> certificate) {
        this.ambiguous = ambiguous;
        this.token = token;
        this.certificate = certificate;
    }

    /**
     * @param authorization all headers of that name. Anything but a bearer token is taken for an unknown token, so that it is refused and not overlooked
     * @param chain the certificates of the caller, their own first; empty: none. TLS has checked by then that an authority vouches for them, and that the
     *     caller has the key
     */
    public static Credentials of(List<String> authorization, Certificate[] chain) {
        return new Credentials(
                authorization.size() > 1,
                authorization.stream().map(Credentials::hash).findFirst(),
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

    /** Whether there are several tokens: programs before this one may have looked at another than we would. */
    boolean isAmbiguous() {
        return ambiguous;
    }

    boolean isEmpty() {
        return token.isEmpty() && certificate.isEmpty();
    }
}
