/** What is measured: queries, the ads that are served, and what these are worth; each a text of tabs and lines in its task. */
@NullMarked
package io.taskmaster.examples.adsquality.measure;

import org.jspecify.annotations.NullMarked;
