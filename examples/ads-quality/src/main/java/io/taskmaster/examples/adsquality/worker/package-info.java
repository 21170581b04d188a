/** The worker processes of the ads-quality flow: coordinators and workers. */
@NullMarked
package io.taskmaster.examples.adsquality.worker;

import org.jspecify.annotations.NullMarked;
