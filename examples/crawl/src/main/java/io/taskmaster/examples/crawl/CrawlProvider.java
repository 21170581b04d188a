package io.taskmaster.examples.crawl;

import io.taskmaster.examples.demo.DemoProvider;

/** The provider of the crawl, the default demo. */
public final class CrawlProvider implements DemoProvider {

    @Override
    public String name() {
        return "crawl";
    }

    @Override
    public boolean isDefault() {
        return true;
    }

    @Override
    public Object command(Class<?> program) {
        return new CrawlCommand(program);
    }
}
