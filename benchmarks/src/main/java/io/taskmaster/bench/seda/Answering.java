package io.taskmaster.bench.seda;

import io.taskmaster.model.Bytes;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.local.LocalStages;
import io.taskmaster.stage.net.Endpoint;
import io.taskmaster.stage.net.Framing;
import io.taskmaster.stage.net.Message;
import io.taskmaster.stage.net.Sockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A server that answers each request of the socket experiment. Thread-safe. */
interface Answering extends AutoCloseable {

    InetSocketAddress address();

    /** The number of requests answered so far. */
    long answered();

    @Override
    void close();

    /** Starts an endpoint with a local stage behind it that answers. */
    static Answering byStage(Sockets sockets, LocalStages stages, InetSocketAddress at) throws IOException {
        Bytes answer = Bytes.wrap(new byte[SocketLoad.ANSWER_BYTES]);
        LocalStage<Message> answers = stages.add(
                "answers",
                stage -> stage.handler(message -> message.answer(answer))
                        .boundary(SocketLoad.MAX_CONNECTIONS, boundary -> boundary.concurrency(2)));
        Endpoint endpoint = sockets.endpoint(
                "server",
                Framing.fixed(SocketLoad.REQUEST_BYTES),
                answers,
                settings -> settings.writes(Framing.fixed(SocketLoad.ANSWER_BYTES))
                        .maxConnections(SocketLoad.MAX_CONNECTIONS));
        InetSocketAddress address = endpoint.listen(at);
        return new Answering() {

            @Override
            public InetSocketAddress address() {
                return address;
            }

            @Override
            public long answered() {
                return endpoint.status().messagesOut();
            }

            @Override
            public void close() {
                endpoint.drain(Duration.ZERO).join();
            }
        };
    }
}
