// Talk to the server that `quarry workbench` started.  All answers are JSON; nothing of a page is markup here.

export async function getState(page) {
  const answer = await fetch(`/state?page=${page}`);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

// Do an action on the version of the work that is on screen; returns {said, state} or {error, state?}.
export async function act(version, page, action, given = {}) {
  const body = JSON.stringify({ ...given, version, page, action });
  const answer = await fetch("/act", { method: "POST", headers: { "Content-Type": "application/json" }, body });
  return answer.json();
}

const getJson = async (address) => (await fetch(address)).json();

export const getTags = async (page) => (await fetch(`/tags/${page}`)).text();
export const getBoxes = (page) => getJson(`/boxes/${page}`);
export const getElement = (page, number) => getJson(`/elements/${page}/${number}`);
export const getGaps = (version) => getJson(`/gaps?version=${version}`);
export const getProgress = () => getJson("/progress");
export const stopWork = () => fetch("/stop", { method: "POST" });
