package io.taskmaster.examples.crawl.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The set of pages that can be reached from the index page of a folder, found without any code of the demo: no HTTP, no
 * HTML parser, no URLs, just files and a regular expression.
 */
public final class IndependentWalk {

    private static final Pattern LINK =
            Pattern.compile("<a\\s[^>]*?href\\s*=\\s*\"([^\"#?]*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern OUTSIDE = Pattern.compile("^(?:[a-zA-Z][a-zA-Z0-9+.-]*:|//).*");

    private IndependentWalk() {}

    /** Returns the absolute paths of the pages, such as {@code /index.html}. */
    public static Set<String> reachablePages(Path root) throws IOException {
        Set<String> reached = new TreeSet<>();
        Deque<Path> toVisit = new ArrayDeque<>();
        toVisit.add(root.resolve("index.html"));
        while (!toVisit.isEmpty()) {
            Path page = toVisit.remove();
            if (Files.isRegularFile(page) && reached.add(page.toString())) {
                Matcher links = LINK.matcher(Files.readString(page, UTF_8));
                while (links.find()) {
                    String link = links.group(1);
                    if (link.endsWith(".html") && !OUTSIDE.matcher(link).matches()) {
                        toVisit.add(page.resolveSibling(link).normalize());
                    }
                }
            }
        }
        return reached;
    }
}
