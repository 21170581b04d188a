package io.taskmaster.server.tls;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A context whose server sockets and engines have our parameters from the start. Whoever makes an engine of it need not think of them: it
 * would speak whatever the JVM does, and ask nobody for a certificate. Thread-safe.
 */
final class StrictContext extends SSLContext {

    /**
     * @param parameters what everything that is made has; not changed any more
     */
    StrictContext(SSLContext context, SSLParameters parameters) {
        super(new Spi(context, parameters), context.getProvider(), context.getProtocol());
    }

    private static final class Spi extends SSLContextSpi {

        private final SSLContext context;
        private final SSLParameters parameters;

        Spi(SSLContext context, SSLParameters parameters) {
            this.context = context;
            this.parameters = parameters;
        }

        @Override
        protected void engineInit(
                KeyManager @Nullable [] keys, TrustManager @Nullable [] trust, @Nullable SecureRandom random)
                throws KeyManagementException {
            throw new KeyManagementException("was initialized before");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return strict(context.createSSLEngine());
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return strict(context.createSSLEngine(host, port));
        }

        private SSLEngine strict(SSLEngine engine) {
            engine.setUseClientMode(false);
            engine.setSSLParameters(parameters);
            return engine;
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return new Accepting(context.getSocketFactory(), parameters);
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            return context.getServerSocketFactory();
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return context.getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return context.getClientSessionContext();
        }
    }

    /** Puts TLS around connections that were accepted; makes none. */
    private static final class Accepting extends SSLSocketFactory {

        private final SSLSocketFactory factory;
        private final SSLParameters parameters;

        Accepting(SSLSocketFactory factory, SSLParameters parameters) {
            this.factory = factory;
            this.parameters = parameters;
        }

        @Override
        public Socket createSocket(Socket accepted, @Nullable InputStream consumed, boolean autoClose)
                throws IOException {
            var socket = (SSLSocket) factory.createSocket(accepted, consumed, autoClose);
            socket.setSSLParameters(parameters);
            return socket;
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return parameters.getCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return parameters.getCipherSuites();
        }

        @Override
        public Socket createSocket(Socket connection, String host, int port, boolean autoClose) {
            throw connectsToNobody();
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw connectsToNobody();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
            throw connectsToNobody();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw connectsToNobody();
        }

        @Override
        public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
            throw connectsToNobody();
        }

        private static UnsupportedOperationException connectsToNobody() {
            return new UnsupportedOperationException("connects to nobody");
        }
    }
}
