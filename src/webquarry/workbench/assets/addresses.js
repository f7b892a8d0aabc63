// Addresses are long and begin alike: their end tells them apart.

export function shorten(address) {
  const [path] = address.split(" ");
  const parts = path.replace(/^\w+:\/+/, "").split("/").filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join("/")}` : parts.join("/");
}
