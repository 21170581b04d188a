package io.taskmaster.server.access;

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
 * A name by which a certificate calls its owner: a DNS name or a URI among its subject alternative names, or the common name of its subject. Compared
 * as a whole, DNS names without regard to case; a {@code *} stands for itself. Immutable.
 */
record CertificateName(Kind kind, String value) {

    /** Where in the certificate it stands. */
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

    /** From {@code dns:…}, {@code uri:…} or {@code cn:…}; empty if it is something else. */
    static Optional<CertificateName> parse(String text) {
        for (Kind kind : Kind.values()) {
            if (text.startsWith(kind.prefix) && text.length() > kind.prefix.length()) {
                return Optional.of(new CertificateName(kind, text.substring(kind.prefix.length())));
            }
        }
        return Optional.empty();
    }

    /** All names of the owner of a certificate; of one that cannot be read, none. */
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
            // Of several nobody could say which one counts.
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
                    // Addresses and directory names are not what people call a program by.
                }
            }
        }
    }

    @Override
    public String toString() {
        return kind.prefix + value;
    }
}
