/** The worker processes of the ads-quality flow: those that coordinate, and those that work. */
@NullMarked
package io.taskmaster.examples.adsquality.worker;

import org.jspecify.annotations.NullMarked;
