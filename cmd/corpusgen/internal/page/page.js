"use strict";
document.documentElement.classList.add("script");
const say = text => { const e = document.getElementById("said"); if (e) e.textContent = text; };

// A button copies the command beside it.
document.addEventListener("click", async e => {
  const button = e.target.closest("button.copy");
  if (!button) return;
  const command = button.parentElement.querySelector("code");
  getSelection().selectAllChildren(command);
  try {
    await navigator.clipboard.writeText(command.textContent);
  } catch {
    document.execCommand("copy"); // of what is selected
  }
  button.textContent = "Copied";
  say("Copied.");
  setTimeout(() => button.textContent = "Copy", 2000);
});

// A link leads into parts that are closed.
const reveal = () => {
  const e = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let d = e; d; d = d.parentElement) if (d.tagName === "DETAILS") d.open = true;
  if (e) e.scrollIntoView({block: "center"});
};
addEventListener("hashchange", reveal);
if (location.hash) reveal();

// The filter hides targets whose summary lacks one of the words.
const filter = document.getElementById("filter");
if (filter) {
  filter.addEventListener("input", () => {
    const more = document.getElementById("more"); // has the others
    if (more) more.open = true;
    const words = filter.value.toLowerCase().split(/\s+/), all = [...document.querySelectorAll("details.target")];
    for (const d of all) {
      const text = d.querySelector("summary").textContent.toLowerCase();
      d.hidden = !words.every(w => text.includes(w));
    }
    say(`${all.filter(d => !d.hidden).length} of ${all.length} targets`);
  });
}
