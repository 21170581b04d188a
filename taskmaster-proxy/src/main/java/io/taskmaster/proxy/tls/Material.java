package io.taskmaster.proxy.tls;

import io.grpc.util.CertificateUtils;
import io.taskmaster.proxy.config.ConfigException;
import io.taskmaster.proxy.config.PortSetting;
import io.taskmaster.proxy.config.Setting;
import io.taskmaster.proxy.config.TlsConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The certificates and the key of the files, which belong together. Immutable.
 *
 * @param chain the chain of the server, its own certificate first
 * @param clientAuthorities the authorities of client certificates; none: clients are not asked for certificates
 */
@SuppressWarnings("ArrayRecordComponent") // the form that TLS takes; never compared
record Material(X509Certificate[] chain, PrivateKey key, X509Certificate[] clientAuthorities) {

    private static final byte[] PROBE = {1, 2, 3, 4};

    /**
     * Parses the files.
     *
     * @param contents the contents of the files, in their order
     * @throws ConfigException if one of them is unusable; it names the file, and nothing of its contents
     */
    static Material parse(TlsConfig config, List<byte[]> contents) {
        X509Certificate[] chain = certificates(PortSetting.TLS_CERTIFICATE, contents.get(0));
        PrivateKey key = key(contents.get(1));
        if (!belongTogether(chain[0].getPublicKey(), key)) {
            throw new ConfigException(
                    PortSetting.TLS_KEY.key() + ": " + config.key() + " (expected: the private key of "
                            + config.certificate() + ")",
                    null);
        }
        return new Material(
                chain,
                key,
                config.clientCa().isPresent()
                        ? certificates(PortSetting.TLS_CLIENT_CA, contents.get(2))
                        : new X509Certificate[0]);
    }

    private static X509Certificate[] certificates(Setting setting, byte[] pem) {
        try {
            X509Certificate[] certificates = CertificateUtils.getX509Certificates(new ByteArrayInputStream(pem));
            if (certificates.length > 0) {
                return certificates;
            }
        } catch (GeneralSecurityException e) {
            throw broken(setting, e);
        }
        throw broken(setting, null);
    }

    private static PrivateKey key(byte[] pem) {
        try {
            return CertificateUtils.getPrivateKey(new ByteArrayInputStream(pem));
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            // The parser throws various exceptions for a file without a key.
            throw broken(PortSetting.TLS_KEY, e);
        }
    }

    /**
     * Returns whether the key is that of the certificate. With another one every handshake would fail, and the two
     * files are rarely written at the same instant.
     */
    private static boolean belongTogether(PublicKey ofCertificate, PrivateKey key) {
        String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(PROBE);
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(ofCertificate);
            verifying.update(PROBE);
            return verifying.verify(signing.sign());
        } catch (GeneralSecurityException differentKinds) {
            return false;
        }
    }

    static ConfigException broken(Setting setting, @Nullable Exception cause) {
        String expected = setting == PortSetting.TLS_KEY
                ? "an RSA or EC private key in PEM, PKCS #8 without a password: BEGIN PRIVATE KEY"
                : "certificates in PEM: BEGIN CERTIFICATE";
        return new ConfigException(setting.key() + ": unusable (expected: " + expected + ")", cause);
    }
}
