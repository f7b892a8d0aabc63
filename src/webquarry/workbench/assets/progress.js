// Long work: how far it is, and a button to stop it.

import { html, useEffect, useState } from "./vendor/preact-htm.js";
import { getProgress, stopWork } from "./server.js";

const LOOK_EVERY = 250; // milliseconds

// What the work under way says of itself; null unless `isBusy`, and for the first moment.
export function useProgress(isBusy) {
  const [progress, setProgress] = useState(null);
  useEffect(() => {
    setProgress(null);
    if (!isBusy) return undefined;
    const look = () => getProgress().then((found) => setProgress(found.label ? found : null), () => setProgress(null));
    const timer = setInterval(look, LOOK_EVERY);
    return () => clearInterval(timer);
  }, [isBusy]);
  return progress;
}

export function Progress({ progress }) {
  const { label, done, total, is_stopping: isStopping } = progress;
  return html`
    <span class="progress">
      <progress aria-label=${label} max=${total || undefined} value=${total ? done : undefined}></progress>
      <span>${label[0].toUpperCase() + label.slice(1)}${total > 0 && `: ${done} of ${total}`}</span>
      <button disabled=${isStopping} onClick=${stopWork}>${isStopping ? "Stopping…" : "Stop"}</button>
    </span>`;
}
