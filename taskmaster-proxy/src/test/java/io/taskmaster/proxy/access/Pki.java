package io.taskmaster.proxy.access;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.KeyUsage;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A certificate authority for one test. */
public final class Pki {

    private final X509Bundle authority;

    public Pki(String name) throws Exception {
        authority = new CertificateBuilder()
                .ecp256()
                .subject("CN=" + name)
                .setIsCertificateAuthority(true)
                .setKeyUsage(true, KeyUsage.digitalSignature, KeyUsage.keyCertSign)
                .buildSelfSigned();
    }

    public X509Bundle authority() {
        return authority;
    }

    /** A certificate of a server on the loopback address. */
    public CertificateBuilder server() {
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=server")
                .addSanDnsName("localhost")
                .addSanIpAddress("127.0.0.1")
                .addExtendedKeyUsageServerAuth();
    }

    /** A certificate of a client with a common name. */
    public CertificateBuilder client(String name) {
        return new CertificateBuilder().ecp256().subject("O=tests,CN=" + name).addExtendedKeyUsageClientAuth();
    }

    public X509Bundle issue(CertificateBuilder certificate) throws Exception {
        return certificate.buildIssuedBy(authority);
    }

    /** Writes {@code NAME.pem} and {@code NAME.key}. */
    public static void write(Path folder, String name, X509Bundle certificate) throws IOException {
        Files.writeString(folder.resolve(name + ".key"), certificate.getPrivateKeyPEM());
        Files.writeString(folder.resolve(name + ".pem"), certificate.getCertificatePathPEM());
    }
}
