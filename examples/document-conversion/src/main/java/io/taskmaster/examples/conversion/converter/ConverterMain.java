package io.taskmaster.examples.conversion.converter;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;

/**
 * The program of a converter. It reads documents from its standard input and writes Markdown to its standard output,
 * one after the other, until its worker is gone. Its JVM ends when it has no memory left.
 */
public final class ConverterMain {

    private ConverterMain() {}

    public static void main(String[] args) throws IOException {
        DataInputStream in = new DataInputStream(System.in);
        DataOutputStream out = new DataOutputStream(System.out);
        while (true) {
            ConverterRequest request;
            try {
                request = ConverterRequest.read(in);
            } catch (EOFException workerIsGone) {
                return;
            }
            reply(request).write(out);
        }
    }

    private static ConverterReply reply(ConverterRequest request) {
        int planned = InjectedFailures.of(request.document());
        if (request.failures() < planned) {
            return new ConverterReply.Failed("injected failure %d of %d".formatted(request.failures() + 1, planned));
        }
        try {
            return new ConverterReply.Converted(HtmlToMarkdown.convert(request.html()));
        } catch (RuntimeException | StackOverflowError e) {
            return new ConverterReply.Failed(e.toString());
        }
    }
}
