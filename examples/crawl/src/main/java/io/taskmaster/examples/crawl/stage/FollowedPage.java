package io.taskmaster.examples.crawl.stage;

import io.taskmaster.model.Bytes;

/**
 * The counts of a page whose links were followed: the data of its task in {@link CrawlQueues#FOLLOWED}. They are
 * written in the update that hands the links off, so the sums are exact whatever was killed. Immutable.
 *
 * @param links all links of the page
 * @param collapsed links to pages of the site that were known already
 * @param retries the number of retries of the links
 */
public record FollowedPage(int links, int collapsed, int retries) {

    FollowedPage withMoreCollapsed(int more) {
        return new FollowedPage(links, collapsed + more, retries);
    }

    /** Encodes the three numbers, separated by blanks. */
    public Bytes encode() {
        return Bytes.of(links + " " + collapsed + " " + retries);
    }

    /** Decodes the output of {@link #encode}. */
    public static FollowedPage decode(Bytes data) {
        String[] numbers = data.toString().split(" ", -1);
        return new FollowedPage(
                Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), Integer.parseInt(numbers[2]));
    }
}
