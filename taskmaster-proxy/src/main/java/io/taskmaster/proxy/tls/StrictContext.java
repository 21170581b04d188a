package io.taskmaster.proxy.tls;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * An SSL context whose engines have the server's parameters from the start. A creator of an engine need not set them;
 * without them, the engine would use the JVM's defaults, and not ask for client certificates. It creates no sockets.
 * Thread-safe.
 */
final class StrictContext extends SSLContext {

    /**
     * Wraps a context.
     *
     * @param parameters the parameters of every engine; must not be changed any more
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
            throw noSockets();
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            throw noSockets();
        }

        private static UnsupportedOperationException noSockets() {
            return new UnsupportedOperationException("sockets (expected: engines, as Netty uses them)");
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
}
