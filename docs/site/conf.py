"""Settings of Sphinx. The pages are those that prepare.py writes."""

project = "TaskMaster"
project_copyright = "the TaskMaster authors"
html_title = "TaskMaster"
html_theme = "furo"
html_show_sourcelink = False
html_copy_source = False
extensions = ["myst_parser", "sphinxcontrib.mermaid"]
# Anchors as the repository's pages have them, and its diagrams.
myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid"]
# Examples are cut short with an ellipsis, which is no JSON.
suppress_warnings = ["misc.highlighting_failure"]
