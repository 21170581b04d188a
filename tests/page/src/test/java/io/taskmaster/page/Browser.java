package io.taskmaster.page;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.deque.html.axecore.results.Results;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.ElementClickInterceptedException;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A tab of a headless Chromium with the operations of a user on a page. All tests of a JVM share the Chromium. If it is
 * not installed tests are skipped, except in CI. Single-threaded.
 */
final class Browser implements AutoCloseable {

    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** The folder of screenshots; empty: none are taken. */
    private static final String PICTURES = System.getProperty("taskmaster.screenshots", "");

    /** The browser of this JVM, with one tab that stays open. Its start takes longer than most tests. */
    private static @Nullable ChromeDriver shared;

    private static String home = "";

    private final ChromeDriver driver;
    private final String tab;
    private final String origin;

    private Browser(ChromeDriver driver, String tab, String origin) {
        this.driver = driver;
        this.tab = tab;
        this.origin = origin;
    }

    /** Opens a new tab, with which all settings of earlier tests end. */
    static Browser open(int port) {
        ChromeDriver driver = shared();
        driver.switchTo().window(home);
        driver.switchTo().newWindow(WindowType.TAB);
        driver.manage().deleteAllCookies();
        // Messages of earlier tests.
        var _ = driver.manage().logs().get(LogType.BROWSER);
        return new Browser(driver, driver.getWindowHandle(), "http://127.0.0.1:" + port).size(1280, 1000);
    }

    private static ChromeDriver shared() {
        if (shared == null) {
            boolean isThere = Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER);
            assumeTrue(isThere || Boolean.parseBoolean(System.getenv("CI")), "Chromium is not installed");
            ChromeDriver started = start();
            Runtime.getRuntime().addShutdownHook(new Thread(started::quit, "end-browser"));
            home = started.getWindowHandle();
            shared = started;
        }
        return shared;
    }

    private static ChromeDriver start() {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toFile());
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(DRIVER.toString()))
                .usingAnyFreePort()
                .build();
        return new ChromeDriver(service, options);
    }

    Browser size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
        return this;
    }

    /** Sets the preferred colour scheme: {@code light} or {@code dark}. */
    Browser scheme(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        return this;
    }

    /** Delays the replies of the server by this time. */
    void delay(Duration latency) {
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand(
                "Network.emulateNetworkConditions",
                Map.of(
                        "offline",
                        false,
                        "latency",
                        latency.toMillis(),
                        "downloadThroughput",
                        -1,
                        "uploadThroughput",
                        -1));
    }

    /** Leaves the page, as if the tab were closed. */
    void leave() {
        driver.get("about:blank");
    }

    /** Opens a page, and waits until it shows its title. */
    Browser go(String hash, String title) {
        leave();
        driver.get(origin + "/" + hash);
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(text("h1")).isEqualTo(title));
        return this;
    }

    /** Returns all text of the first matching element; empty if there is none. */
    String text(String css) {
        try {
            return driver.findElements(By.cssSelector(css)).stream()
                    .findFirst()
                    .map(WebElement::getText)
                    .orElse("");
        } catch (StaleElementReferenceException replaced) {
            return "";
        }
    }

    List<String> texts(String css) {
        Object texts =
                run("return [...document.querySelectorAll(arguments[0])].map((element) => element.innerText)", css);
        return ((List<?>) texts).stream().map(String::valueOf).toList();
    }

    void awaitText(String css, String part) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(text(css)).contains(part));
    }

    void awaitMatch(String css, String pattern) {
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(text(css)).matches(pattern));
    }

    void awaitNothing(String css) {
        await().atMost(TIMEOUT)
                .untilAsserted(() ->
                        assertThat(driver.findElements(By.cssSelector(css))).isEmpty());
    }

    /**
     * Presses the button or link with this name. Repeats it if the page replaces the element meanwhile, or a notice
     * covers it.
     */
    void press(String name) {
        await().atMost(TIMEOUT)
                .ignoreExceptionsMatching(failure -> failure instanceof StaleElementReferenceException
                        || failure instanceof ElementClickInterceptedException)
                .until(() -> {
                    for (WebElement element : driver.findElements(By.cssSelector("button, a, summary"))) {
                        if (element.isDisplayed() && name.equals(element.getAccessibleName())) {
                            element.click();
                            return true;
                        }
                    }
                    return false;
                });
    }

    /** Presses the button with this verb in the open dialog. */
    void confirm(String verb) {
        awaitText("dialog[open] .danger", verb);
        driver.findElement(By.cssSelector("dialog[open] .danger")).click();
    }

    void type(String css, String text) {
        WebElement input = driver.findElement(By.cssSelector(css));
        input.clear();
        input.sendKeys(text);
    }

    /** Sends keys to the focused element. */
    void keys(CharSequence... keys) {
        driver.switchTo().activeElement().sendKeys(keys);
    }

    /** Returns the accessible name of the focused element. */
    String focused() {
        return String.valueOf(driver.switchTo().activeElement().getAccessibleName());
    }

    Object run(String script, Object... arguments) {
        return requireNonNull(((JavascriptExecutor) driver).executeScript(script, arguments));
    }

    /** Asserts that axe finds no accessibility violation in the present page. */
    Browser assertAccessible() {
        return assertNoViolations(new AxeBuilder());
    }

    /** Asserts the same for the colour contrast only. */
    Browser assertContrast() {
        return assertNoViolations(new AxeBuilder().withRules(List.of("color-contrast")));
    }

    private Browser assertNoViolations(AxeBuilder axe) {
        Results results = axe.analyze(driver);
        assertThat(results.getViolations())
                .as("%s: %s", driver.getCurrentUrl(), results.getViolations())
                .isEmpty();
        return this;
    }

    /** Asserts that the console has no message since the last check. */
    void assertQuiet() {
        assertThat(driver.manage().logs().get(LogType.BROWSER).getAll()).isEmpty();
    }

    /** Asserts that nothing is wider than the window. */
    Browser assertFits() {
        assertThat(run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"))
                .as("%s does not scroll sideways", driver.getCurrentUrl())
                .isEqualTo(true);
        return this;
    }

    Browser picture(String name) throws IOException {
        if (!PICTURES.isEmpty()) {
            run("window.scrollTo(0, 0); return true");
            Files.write(Path.of(PICTURES, name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        }
        return this;
    }

    @Override
    public void close() {
        driver.switchTo().window(tab).close();
        driver.switchTo().window(home);
    }
}
