package io.taskmaster.tests;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A mark of tests of the profile {@code slow} ({@code mvn verify -Pslow}): those that take minutes, or judge time,
 * throughput, memory or processor share. They are skipped in every other build.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@EnabledIfSystemProperty(named = Profile.PROPERTY, matches = "true")
public @interface Slow {}
