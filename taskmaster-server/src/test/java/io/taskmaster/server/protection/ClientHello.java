package io.taskmaster.server.protection;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Optional;

/**
 * The first message of a TLS handshake, byte by byte. The JVM would not send one of a version or a cipher suite that it
 * considers broken, so a server that accepts it would not be detected.
 *
 * @param version as on the wire: {@code 0x0301} is TLS 1.0, {@code 0x0303} is 1.2
 * @param suites as on the wire
 */
record ClientHello(int version, List<Integer> suites) {

    static final int TLS_1_0 = 0x0301;
    static final int TLS_1_1 = 0x0302;
    static final int TLS_1_2 = 0x0303;

    private static final int LIMIT_MILLIS = 20_000;
    private static final int HANDSHAKE = 0x16;
    private static final int SERVER_HELLO = 2;
    private static final int RANDOM_BYTES = 32;

    /**
     * Sends the message. Returns the server's choice; empty if the server refuses, by an alert or by closing the
     * connection.
     */
    Optional<Chosen> send(int port) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.getOutputStream().write(bytes());
            var answer = new DataInputStream(socket.getInputStream());
            if (answer.readUnsignedByte() != HANDSHAKE) {
                return Optional.empty();
            }
            // The version of the record, and its length.
            answer.skipNBytes(4);
            if (answer.readUnsignedByte() != SERVER_HELLO) {
                throw new IOException("no server hello");
            }
            answer.skipNBytes(3);
            int chosenVersion = answer.readUnsignedShort();
            answer.skipNBytes(RANDOM_BYTES);
            answer.skipNBytes(answer.readUnsignedByte());
            return Optional.of(new Chosen(chosenVersion, answer.readUnsignedShort()));
        } catch (EOFException | SocketException hungUp) {
            return Optional.empty();
        }
    }

    /** The choice in a server hello. */
    record Chosen(int version, int suite) {}

    private byte[] bytes() throws IOException {
        var hello = new ByteArrayOutputStream();
        var out = new DataOutputStream(hello);
        out.writeShort(version);
        out.write(new byte[RANDOM_BYTES]);
        // No session.
        out.writeByte(0);
        out.writeShort(2 * suites.size());
        for (int suite : suites) {
            out.writeShort(suite);
        }
        // No compression.
        out.writeShort(0x0100);
        byte[] extensions = extensions();
        out.writeShort(extensions.length);
        out.write(extensions);
        return record(handshake(hello.toByteArray()));
    }

    private static byte[] extensions() throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        // Groups: x25519, secp256r1. Points: uncompressed. Signatures: RSA-PSS, RSA and ECDSA with SHA-256, RSA and
        // ECDSA with SHA-1.
        shorts(out, 10, 0x001d, 0x0017);
        out.writeShort(11);
        out.writeShort(2);
        out.writeShort(0x0100);
        shorts(out, 13, 0x0804, 0x0401, 0x0403, 0x0201, 0x0203);
        return bytes.toByteArray();
    }

    private static void shorts(DataOutputStream out, int extension, int... values) throws IOException {
        out.writeShort(extension);
        out.writeShort(2 + 2 * values.length);
        out.writeShort(2 * values.length);
        for (int value : values) {
            out.writeShort(value);
        }
    }

    private static byte[] handshake(byte[] hello) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeInt((1 << 24) | hello.length);
        out.write(hello);
        return bytes.toByteArray();
    }

    private byte[] record(byte[] handshake) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeByte(HANDSHAKE);
        out.writeShort(TLS_1_0);
        out.writeShort(handshake.length);
        out.write(handshake);
        return bytes.toByteArray();
    }
}
