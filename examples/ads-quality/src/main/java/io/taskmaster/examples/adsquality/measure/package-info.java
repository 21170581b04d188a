/**
 * The data of the measurement: queries, the ads that are served, and their scores; each is a text of tabs and lines in
 * its task.
 */
@NullMarked
package io.taskmaster.examples.adsquality.measure;

import org.jspecify.annotations.NullMarked;
