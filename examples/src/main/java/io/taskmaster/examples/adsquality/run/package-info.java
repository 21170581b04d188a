/** The ads-quality flow as a demo: how far it is, and what came of it. */
@NullMarked
package io.taskmaster.examples.adsquality.run;

import org.jspecify.annotations.NullMarked;
