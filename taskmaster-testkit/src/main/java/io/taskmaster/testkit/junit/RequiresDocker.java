package io.taskmaster.testkit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that need a Docker daemon. Where Testcontainers finds none that it can use they are skipped, with the reason, and with a box on
 * standard error that cannot be overlooked. Where the environment says {@code CI=true} they fail instead: what nobody reads must not pass
 * for having run.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@ExtendWith(DockerCondition.class)
public @interface RequiresDocker {}
