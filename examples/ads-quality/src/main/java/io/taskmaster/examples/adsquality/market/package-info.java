/**
 * The simulated environment that is measured: markets with goods to search for, advertisers, and the server that
 * auctions places to them.
 */
@NullMarked
package io.taskmaster.examples.adsquality.market;

import org.jspecify.annotations.NullMarked;
