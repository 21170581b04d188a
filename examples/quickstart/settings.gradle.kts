rootProject.name = "quickstart"
