"""Settings of Sphinx. The pages are those that prepare.py writes."""

project = "TaskMaster"
project_copyright = "the TaskMaster authors"
html_title = "TaskMaster"
html_theme = "furo"
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = [("diagrams.js", {"defer": "defer"})]
extensions = ["myst_parser"]
# Anchors as the repository's pages have them.
myst_heading_anchors = 4
# Examples are cut short with an ellipsis, which is no JSON.
suppress_warnings = ["misc.highlighting_failure"]
