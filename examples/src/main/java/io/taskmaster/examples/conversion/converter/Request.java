package io.taskmaster.examples.conversion.converter;

import io.taskmaster.model.Bytes;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What a converter is asked, over its standard input. Immutable.
 *
 * @param document its name
 * @param failures of it before, in a row
 */
public record Request(String document, int failures, Bytes html) {

    void write(DataOutputStream to) throws IOException {
        to.writeUTF(document);
        to.writeInt(failures);
        to.writeInt(html.size());
        to.write(html.unsafeArray());
        to.flush();
    }

    static Request read(DataInputStream from) throws IOException {
        return new Request(from.readUTF(), from.readInt(), Bytes.wrap(from.readNBytes(from.readInt())));
    }
}
