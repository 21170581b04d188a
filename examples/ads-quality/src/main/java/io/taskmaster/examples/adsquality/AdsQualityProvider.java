package io.taskmaster.examples.adsquality;

import io.taskmaster.examples.adsquality.run.AdsQualityDemo;
import io.taskmaster.examples.demo.DemoProvider;

/** The provider of the ads-quality flow. */
public final class AdsQualityProvider implements DemoProvider {

    @Override
    public String name() {
        return AdsQualityDemo.COMMAND;
    }

    @Override
    public Object command(Class<?> program) {
        return new AdsQualityCommand(program);
    }
}
