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

/** The call credentials that send a token with each call. Thread-safe if the source of the token is. */
final class Credentials extends CallCredentials implements ClientInterceptor {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]+");

    private final Supplier<String> token;

    /**
     * Creates the credentials.
     *
     * @param token called for each attempt, on the thread that makes it
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
            // gRPC would put the text of the exception into the status, and with it perhaps the token.
            applier.fail(Status.UNAUTHENTICATED.withDescription("token: none (expected: a token)"));
            return;
        }
        applier.apply(headers);
    }

    /**
     * Returns the token if it is valid.
     *
     * @throws IllegalArgumentException unless it is printable ASCII without spaces
     */
    static String checked(String token) {
        if (!TOKEN.matcher(token).matches()) {
            throw new IllegalArgumentException("token: invalid characters (expected: printable ASCII, no spaces)");
        }
        return token;
    }
}
