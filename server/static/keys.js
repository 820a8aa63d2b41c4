"use strict";
// The pages work without this file; it adds the keys that the dialog lists.
const dialog = document.getElementById("keys");
document.getElementById("show-keys").addEventListener("click", () => dialog.showModal());
document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, select, textarea, .scroll");
  if (typing && event.key === "Escape") event.target.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
  const press = (name) => document.querySelector(`[data-key="${name}"]`)?.click();
  const actions = {
    j: () => press("next"), ArrowRight: () => press("next"),
    k: () => press("previous"), ArrowLeft: () => press("previous"),
    c: () => press("customer"), u: () => press("undo"),
    h: () => { window.location = "/"; },
    "/": () => document.getElementById("message")?.focus(),
    "?": () => dialog.showModal(),
  };
  if (!Object.hasOwn(actions, event.key)) return;
  event.preventDefault();
  actions[event.key]();
});
