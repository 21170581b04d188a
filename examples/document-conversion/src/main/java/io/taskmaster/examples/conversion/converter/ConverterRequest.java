package io.taskmaster.examples.conversion.converter;

import io.taskmaster.model.Bytes;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A request to a converter, on its standard input. Immutable.
 *
 * @param document the name of the document
 * @param failures the number of its consecutive failures before
 */
public record ConverterRequest(String document, int failures, Bytes html) {

    void write(DataOutputStream to) throws IOException {
        to.writeUTF(document);
        to.writeInt(failures);
        to.writeInt(html.size());
        to.write(html.unsafeArray());
        to.flush();
    }

    static ConverterRequest read(DataInputStream from) throws IOException {
        return new ConverterRequest(from.readUTF(), from.readInt(), Bytes.wrap(from.readNBytes(from.readInt())));
    }
}
