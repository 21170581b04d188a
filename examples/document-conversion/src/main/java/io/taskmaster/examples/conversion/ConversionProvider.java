package io.taskmaster.examples.conversion;

import io.taskmaster.examples.conversion.run.ConversionDemo;
import io.taskmaster.examples.demo.DemoProvider;

/** The provider of the conversion. */
public final class ConversionProvider implements DemoProvider {

    @Override
    public String name() {
        return ConversionDemo.COMMAND;
    }

    @Override
    public Object command(Class<?> program) {
        return new ConversionCommand(program);
    }
}
