package io.taskmaster.examples.crawl.stage;

import io.taskmaster.model.Bytes;

/**
 * What stays of a page whose links were followed: the data of its task in {@link io.taskmaster.examples.crawl.Queues#FOLLOWED}.
 * It is written in the same update that hands the links off, so that the sums are exact whatever was killed. Immutable.
 *
 * @param links every link of the page
 * @param collapsed links to pages of the site that were known already
 * @param retries how often the links had to be followed again
 */
public record FollowedPage(int links, int collapsed, int retries) {

    FollowedPage withMoreCollapsed(int more) {
        return new FollowedPage(links, collapsed + more, retries);
    }

    /** Three numbers with blanks between them. */
    public Bytes encode() {
        return Bytes.of(links + " " + collapsed + " " + retries);
    }

    /** Reads back what {@link #encode} wrote. */
    public static FollowedPage decode(Bytes data) {
        String[] numbers = data.toString().split(" ", -1);
        return new FollowedPage(
                Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), Integer.parseInt(numbers[2]));
    }
}
