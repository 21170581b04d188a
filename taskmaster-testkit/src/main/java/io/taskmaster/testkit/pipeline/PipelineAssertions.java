package io.taskmaster.testkit.pipeline;

/** Where assertions on a kit begin, in the manner of AssertJ, which they need on the class path of the test. */
public final class PipelineAssertions {

    private PipelineAssertions() {}

    public static PipelineKitAssert assertThat(PipelineKit kit) {
        return new PipelineKitAssert(kit);
    }

    public static <T> QueueContentsAssert<T> assertThat(QueueContents<T> contents) {
        return new QueueContentsAssert<>(contents);
    }
}
