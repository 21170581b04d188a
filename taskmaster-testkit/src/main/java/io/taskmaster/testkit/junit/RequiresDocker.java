package io.taskmaster.testkit.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A mark of tests that need a Docker daemon.
 *
 * <p>If Testcontainers finds none that it can use, they are skipped, with the reason in a conspicuous box on standard
 * error. With {@code CI=true} in the environment they fail instead: a skip that is not noticed must not pass for
 * success.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@ExtendWith(DockerCondition.class)
public @interface RequiresDocker {}
