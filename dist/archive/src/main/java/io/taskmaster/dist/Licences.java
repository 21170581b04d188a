package io.taskmaster.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A program that writes the licences of all libraries in a folder, from the bill of materials and from the jars: a list
 * with the licence of each library, and the licence texts and notices that its jar has. A library that the bill does
 * not have, or that has no licence there, is an error.
 */
public final class Licences {

    private static final Pattern TEXT = Pattern.compile(
            "(META-INF/)?([^/]*-)?(LICEN[SC]E|NOTICE|COPYING|COPYRIGHT)([-.][^/]*)?", Pattern.CASE_INSENSITIVE);

    private Licences() {}

    /**
     * Runs the program.
     *
     * @param args the bill of materials (CycloneDX, JSON), the folder of the libraries, and the folder to write to
     */
    public static void main(String[] args) throws IOException {
        if (args.length != 3) {
            throw new IllegalArgumentException("arguments: " + args.length + " (expected: BOM LIBRARIES OUTPUT)");
        }
        write(Path.of(args[0]), Path.of(args[1]), Path.of(args[2]));
    }

    static void write(Path bill, Path libraries, Path output) throws IOException {
        Map<String, Part> parts = read(bill);
        List<String> lines = new ArrayList<>();
        for (Path jar : jars(libraries)) {
            String file = jar.getFileName().toString();
            Part part = parts.get(file);
            if (part == null) {
                throw new IOException(file + ": not in the bill of materials " + bill);
            }
            if (part.isOurs()) {
                continue;
            }
            if (part.licences().isEmpty()) {
                throw new IOException(file + ": has no licence in the bill of materials " + bill);
            }
            lines.add(part + ": " + String.join("; ", part.licences()));
            extract(jar, output.resolve(file.substring(0, file.length() - ".jar".length())));
        }
        Files.createDirectories(output);
        Files.writeString(output.resolve("THIRD-PARTY.txt"), """
            Libraries in this archive and their licences. Where a library offers a choice, separated by semicolons, any of
            them applies. A folder with the name of a library has the licence texts and notices that its jar contains.

            """ + String.join("\n", lines) + "\n", UTF_8);
    }

    /**
     * A library of the bill of materials. Immutable.
     *
     * @param licences their identifiers, or names and addresses
     */
    private record Part(String group, String name, String version, List<String> licences) {

        boolean isOurs() {
            return group.equals("io.taskmaster");
        }

        String file() {
            return name + "-" + version + ".jar";
        }

        @Override
        public String toString() {
            return group + ":" + name + ":" + version;
        }
    }

    /** Returns the parts by their file names. */
    private static Map<String, Part> read(Path bill) throws IOException {
        JsonObject json = JsonParser.parseString(Files.readString(bill, UTF_8)).getAsJsonObject();
        Map<String, Part> parts = new TreeMap<>();
        for (JsonElement element : json.getAsJsonArray("components")) {
            JsonObject component = element.getAsJsonObject();
            Part part = new Part(
                    text(component, "group"), text(component, "name"), text(component, "version"), licences(component));
            parts.put(part.file(), part);
        }
        return parts;
    }

    private static List<String> licences(JsonObject component) {
        JsonArray all = component.getAsJsonArray("licenses");
        List<String> licences = new ArrayList<>();
        if (all != null) {
            for (JsonElement element : all) {
                licences.add(licence(element.getAsJsonObject()));
            }
        }
        return licences;
    }

    private static String licence(JsonObject choice) {
        if (choice.has("expression")) {
            return text(choice, "expression");
        }
        JsonObject licence = choice.getAsJsonObject("license");
        if (licence.has("id")) {
            return text(licence, "id");
        }
        String url = text(licence, "url");
        return url.isEmpty() ? text(licence, "name") : text(licence, "name") + " (" + url + ")";
    }

    private static String text(JsonObject json, String key) {
        return json.has(key) ? json.get(key).getAsString() : "";
    }

    private static List<Path> jars(Path libraries) throws IOException {
        try (Stream<Path> files = Files.walk(libraries)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    private static void extract(Path library, Path output) throws IOException {
        try (JarFile jar = new JarFile(library.toFile())) {
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                String name = entry.getName();
                if (entry.isDirectory() || !TEXT.matcher(name).matches() || name.endsWith(".class")) {
                    continue;
                }
                Files.createDirectories(output);
                try (InputStream content = jar.getInputStream(entry)) {
                    Files.write(output.resolve(name.substring(name.lastIndexOf('/') + 1)), content.readAllBytes());
                }
            }
        }
    }
}
