// A program in the fragment of an address, which no server is sent:
//
//   #program=<deflated, in base64url>&passes=<if not the usual ones>&tab=<if not the first>
//
// `docs/programs.py` writes the same for the links in documents.

async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  // Firefox would say of a `Response` a second time that its bytes are broken.
  const parts = [];
  for (let next; !(next = await reader.read()).done; ) parts.push(next.value);
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function toBase64(bytes) {
  let letters = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    letters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(letters, (each) => each.charCodeAt(0));
}

export async function writeLink({ passes, tab, text }) {
  const bytes = new TextEncoder().encode(text);
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  const parts = [`#program=${toBase64(packed)}`];
  if (passes) parts.push(`passes=${encodeURIComponent(passes)}`);
  if (tab) parts.push(`tab=${tab}`);
  return parts.join("&");
}

// What a fragment holds; null if it holds no program. Rejects if it is broken.
export async function readLink(fragment) {
  const parts = new URLSearchParams(fragment.replace(/^#/, ""));
  const packed = parts.get("program");
  if (packed === null) return null;
  const bytes = await through(
    fromBase64(packed), new DecompressionStream("deflate-raw"));
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  return { passes: parts.get("passes") ?? "", tab: parts.get("tab") ?? "", text };
}
