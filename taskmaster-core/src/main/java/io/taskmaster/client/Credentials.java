package io.taskmaster.client;

import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Sends a token with every call. Thread-safe if where the token comes from is. */
final class Credentials extends CallCredentials implements ClientInterceptor {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]+");

    private final Supplier<String> token;

    /**
     * @param token asked for each call, on the thread of the caller
     */
    Credentials(Supplier<String> token) {
        this.token = token;
    }

    @Override
    public <Q, P> ClientCall<Q, P> interceptCall(MethodDescriptor<Q, P> method, CallOptions options, Channel next) {
        return next.newCall(method, options.withCallCredentials(this));
    }

    @Override
    public void applyRequestMetadata(RequestInfo request, Executor executor, MetadataApplier applier) {
        Metadata headers = new Metadata();
        try {
            headers.put(AUTHORIZATION, "Bearer " + checked(token.get()));
        } catch (RuntimeException none) {
            // Ours to say: gRPC would hand on the text of an exception that is not ours, and perhaps a token in it.
            applier.fail(Status.UNAUTHENTICATED.withDescription("token: none (expected: one to send)"));
            return;
        }
        applier.apply(headers);
    }

    /** The token, if it can be sent. */
    static String checked(String token) {
        if (!TOKEN.matcher(token).matches()) {
            throw new IllegalArgumentException("token: of other characters (expected: printable ASCII, no spaces)");
        }
        return token;
    }
}
