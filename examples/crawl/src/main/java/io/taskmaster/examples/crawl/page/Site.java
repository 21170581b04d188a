package io.taskmaster.examples.crawl.page;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * The site that is crawled, under a name of its own. Its pages keep their URLs whatever port serves them in this run,
 * so a resumed crawl finds its PIDs again. Immutable.
 *
 * @param origin scheme and host, without a path
 */
public record Site(URI origin) {

    /** The Javadoc of Guava. The domain is reserved for such uses and does not resolve. */
    public static final Site GUAVA = new Site(URI.create("http://guava.test"));

    private static final String INDEX = "index.html";

    /** The first page of the crawl. */
    public PageUrl root() {
        return new PageUrl(origin.resolve("/" + INDEX));
    }

    /**
     * Resolves a link to a page, if it is an HTML page of this site. Fragment and query are dropped: the site is
     * static, so neither identifies another page.
     *
     * @param base the URL that relative links are relative to
     * @param href the link as it occurs in the page
     */
    public Optional<PageUrl> resolve(URI base, String href) {
        try {
            // The link is cut before it is parsed: fragments of real pages contain characters that no URI may, such as
            // brackets.
            String reference = cutAtFirst("#?", href.strip());
            // The JDK resolves an empty reference to the folder of the page instead of the page.
            URI target = (reference.isEmpty() ? base : base.resolve(new URI(reference))).normalize();
            return isOurs(target) ? htmlPath(target).map(this::page) : Optional.empty();
        } catch (URISyntaxException notALink) {
            return Optional.empty();
        }
    }

    private boolean isOurs(URI target) {
        return target.getHost() != null
                && origin.getScheme().equalsIgnoreCase(target.getScheme())
                && origin.getHost().equalsIgnoreCase(target.getHost())
                && portOf(origin) == portOf(target);
    }

    private static int portOf(URI uri) {
        int standard = "https".equals(uri.getScheme().toLowerCase(Locale.ROOT)) ? 443 : 80;
        return uri.getPort() < 0 ? standard : uri.getPort();
    }

    private static Optional<String> htmlPath(URI target) {
        String path = target.getRawPath();
        // normalize() keeps the dots that climb above the root; RFC 3986 drops them.
        while (path.startsWith("/../")) {
            path = path.substring(3);
        }
        if (path.isEmpty()) {
            path = "/";
        }
        if (path.endsWith("/")) {
            path += INDEX;
        }
        return path.endsWith(".html") ? Optional.of(path) : Optional.empty();
    }

    private PageUrl page(String path) {
        return new PageUrl(URI.create(origin + path));
    }

    private static String cutAtFirst(String stops, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (stops.indexOf(text.charAt(i)) >= 0) {
                return text.substring(0, i);
            }
        }
        return text;
    }
}
