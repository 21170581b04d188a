package io.taskmaster.testkit.pipeline;

/** An entry point of assertions on a kit, in the style of AssertJ, which must be on the class path of the test. */
public final class PipelineAssertions {

    private PipelineAssertions() {}

    public static PipelineKitAssert assertThat(PipelineKit kit) {
        return new PipelineKitAssert(kit);
    }

    public static <T> QueueContentsAssert<T> assertThat(QueueContents<T> contents) {
        return new QueueContentsAssert<>(contents);
    }
}
