/** The world that is measured: markets with things to search for, advertisers, and the server that auctions places to them. */
@NullMarked
package io.taskmaster.examples.adsquality.market;

import org.jspecify.annotations.NullMarked;
