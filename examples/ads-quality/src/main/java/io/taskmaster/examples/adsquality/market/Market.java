package io.taskmaster.examples.adsquality.market;

import io.taskmaster.examples.adsquality.measure.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A market of goods, from which its query set and its ads are derived. Immutable.
 *
 * @param name the name, also of its query set
 * @param things the goods, of one or two words
 * @param kinds the variants in which they are sold
 */
public record Market(String name, List<String> things, List<String> kinds) {

    public static final List<Market> ALL = List.of(
            new Market(
                    "bicycles",
                    List.of("touring bike", "cargo bike", "helmet", "bike lights", "saddle", "bike pump"),
                    List.of("light", "cheap", "electric", "red", "waterproof", "used")),
            new Market(
                    "cameras",
                    List.of("film camera", "zoom lens", "tripod", "flash", "camera bag", "light meter"),
                    List.of("compact", "cheap", "vintage", "black", "waterproof", "used")),
            new Market(
                    "coffee",
                    List.of("espresso beans", "filter coffee", "grinder", "moka pot", "milk frother", "cold brew"),
                    List.of("organic", "cheap", "strong", "manual", "small", "italian")),
            new Market(
                    "shoes",
                    List.of("running shoes", "hiking boots", "sandals", "slippers", "sneakers", "rain boots"),
                    List.of("red", "cheap", "leather", "light", "waterproof", "warm")));

    private static final List<String> WISHES = List.of("", " online", " near me");

    /** The name of the advertiser of all goods, which pays high bids. */
    private static final String BAZAAR = "bazaar of ";

    private static final int BAZAAR_BID = 9;
    private static final int LOWEST_BID = 4;

    public Market {
        things = List.copyOf(things);
        kinds = List.copyOf(kinds);
    }

    /** Returns the market with this name. */
    public static Optional<Market> named(String name) {
        return ALL.stream().filter(market -> market.name.equals(name)).findAny();
    }

    /** Returns the queries: every thing of every kind, with every wish. */
    public List<Query> queries() {
        List<Query> queries = new ArrayList<>();
        for (String wish : WISHES) {
            for (String kind : kinds) {
                for (String thing : things) {
                    queries.add(new Query(queries.size(), kind + " " + thing + wish));
                }
            }
        }
        return queries;
    }

    /**
     * Returns the ads: each advertiser sells two things in three kinds; one sells everything, and says so in all of its
     * ads.
     */
    List<Ad> ads() {
        List<Ad> ads = new ArrayList<>();
        for (int shop = 0; shop < things.size(); shop++) {
            String advertiser = things.get(shop) + " & sons";
            for (int thing = shop; thing < shop + 2; thing++) {
                for (int kind = shop; kind < shop + 3; kind++) {
                    String text = at(kinds, kind) + " " + at(things, thing);
                    ads.add(Ad.of(advertiser, text, text, LOWEST_BID + shop));
                }
            }
        }
        String all = String.join(" ", kinds) + " " + String.join(" ", things);
        ads.add(Ad.of(BAZAAR + name, "cheap and near", all, BAZAAR_BID));
        return ads;
    }

    private static String at(List<String> circle, int index) {
        return circle.get(index % circle.size());
    }
}
