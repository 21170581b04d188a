// Draws the diagrams of a page, in the colours of the page. Mermaid is large, so only pages with diagrams load it.
const diagrams = document.querySelectorAll("pre.mermaid");
if (diagrams.length > 0) {
  const script = document.createElement("script");
  script.src = new URL("mermaid.min.js", document.currentScript.src);
  script.onload = () => {
    const chosen = document.body.dataset.theme;
    const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    mermaid.initialize({ startOnLoad: false, theme: dark ? "dark" : "default" });
    mermaid.run({ nodes: diagrams });
  };
  document.head.append(script);
}
