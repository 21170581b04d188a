/** The ads-quality flow as a demo: its progress and its results. */
@NullMarked
package io.taskmaster.examples.adsquality.run;

import org.jspecify.annotations.NullMarked;
