plugins {
    application
}

repositories {
    // The folder to which mvn -Ppublish deploy writes in the root of the checkout.
    maven {
        url = uri(providers.gradleProperty("taskmaster.repository").getOrElse("../../target/repository"))
    }
    mavenCentral()
}

dependencies {
    implementation(platform("io.taskmaster:taskmaster-bom:0.1.0-SNAPSHOT"))
    implementation("io.taskmaster:taskmaster-stage")

    testImplementation("io.taskmaster:taskmaster-testkit")
    testImplementation("org.junit.jupiter:junit-jupiter:5.14.4")
    testImplementation("org.assertj:assertj-core:3.27.7")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher:1.14.4")
}

// The library runs on Java 21. The server, and so the test kit, needs Java 25.
java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(25)
    }
}

tasks.compileJava {
    options.release = 21
}

application {
    mainClass = "io.taskmaster.examples.quickstart.Quickstart"
}

tasks.test {
    useJUnitPlatform()
}
