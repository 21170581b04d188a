package io.taskmaster.proxy.access;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * A name of a certificate's owner: a DNS name or a URI among its subject alternative names, or the common name of its
 * subject. Names are compared as a whole, DNS names without regard to case; a {@code *} has no special meaning.
 * Immutable.
 */
record CertificateName(Kind kind, String value) {

    /** The place of the name in the certificate. */
    enum Kind {
        DNS,
        URI,
        CN;

        private final String prefix = name().toLowerCase(Locale.ROOT) + ":";
    }

    /** The kinds of alternative names, as X.509 numbers them. */
    private static final int SAN_DNS = 2;

    private static final int SAN_URI = 6;

    CertificateName {
        value = kind == Kind.DNS ? value.toLowerCase(Locale.ROOT) : value;
    }

    /** Parses {@code dns:…}, {@code uri:…} or {@code cn:…}; empty for anything else. */
    static Optional<CertificateName> parse(String text) {
        for (Kind kind : Kind.values()) {
            if (text.startsWith(kind.prefix) && text.length() > kind.prefix.length()) {
                return Optional.of(new CertificateName(kind, text.substring(kind.prefix.length())));
            }
        }
        return Optional.empty();
    }

    /** Returns all names of a certificate's owner; none if the certificate cannot be read. */
    static Set<CertificateName> of(X509Certificate certificate) {
        Set<CertificateName> names = new HashSet<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                alternatives.forEach(name -> add(names, name));
            }
            List<Rdn> common = new LdapName(
                            certificate.getSubjectX500Principal().getName())
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .toList();
            // Of several common names it would not be clear which one counts.
            if (common.size() == 1 && common.getFirst().getValue() instanceof String name) {
                names.add(new CertificateName(Kind.CN, name));
            }
        } catch (CertificateParsingException | InvalidNameException unreadable) {
            return Set.of();
        }
        return names;
    }

    private static void add(Set<CertificateName> names, List<?> alternative) {
        if (alternative.get(1) instanceof String name) {
            switch ((Integer) alternative.getFirst()) {
                case SAN_DNS -> names.add(new CertificateName(Kind.DNS, name));
                case SAN_URI -> names.add(new CertificateName(Kind.URI, name));
                default -> {
                    // Addresses and directory names are not used to identify programs.
                }
            }
        }
    }

    @Override
    public String toString() {
        return kind.prefix + value;
    }
}
