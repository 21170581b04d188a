package io.taskmaster.client;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.taskmaster.wire.Progress;

/** A stream tracer that records the {@link Progress} of one attempt. Thread-safe. */
final class SentTracer extends ClientStreamTracer.Factory {

    private volatile Progress progress = Progress.NOTHING_SENT;

    Progress progress() {
        return progress;
    }

    @Override
    public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
        return new Tracer();
    }

    private final class Tracer extends ClientStreamTracer {

        // gRPC calls this when the stream gets a live connection. A later event such as outboundHeaders would be too
        // late: a deadline that passes while the bytes wait in the network thread would look as if they never left.
        @Override
        public void streamCreated(io.grpc.Attributes transport, Metadata headers) {
            progress = Progress.SENT;
        }

        @Override
        public void inboundHeaders() {
            progress = Progress.REPLY_BEGUN;
        }

        @Override
        public void inboundTrailers(Metadata trailers) {
            if (progress == Progress.SENT) {
                progress = Progress.REFUSED;
            }
        }
    }
}
