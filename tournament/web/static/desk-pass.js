// What a desk makes of a pass while it can ask nobody: the same steps in the same order as verifier/passes/check.py, and
// the scan that it signs (docs/guide/passes.md). Numbers on secp256k1 are the curve's, which is given; the rest is here.
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
const UNBOUND = 207, BOUND = 239, PROVEN = 311;
const PLACES = [
  ["eventId", 32], ["epochBlockHash", 32], ["epochBlock", 8], ["playerTag", 16], ["deckCommit", 32], ["holderKey", 32],
  ["policy", 1], ["serial", 4], ["issuedAt", 8], ["notAfter", 8],
];
const NAME = "Deckproof DeckPass";
const SALT = "808189bd32d85b888f1576e9078c5f8e03d1d100782187ebeca02b62179c6e9e";
const DOMAIN = "EIP712Domain(string name,string version,uint256 chainId,bytes32 salt)";
const PASS = "DeckPass(bytes32 eventId,bytes32 epochBlockHash,uint64 epochBlock,bytes16 playerTag,bytes32 deckCommit," +
  "bytes32 holderKey,uint8 policy,uint32 serial,uint64 issuedAt,uint64 notAfter)";
const SCAN = "Scan(bytes32 eventId,address desk,uint32 counter,uint32 serial,bytes16 playerTag,bytes32 deckPass," +
  "uint64 scannedAt,bytes32 previous)";
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const SLACK_S = 120, FRESH_S = 30, LATEST = 253402300799n;
const ZEROS = "00".repeat(32);

const utf8 = (text) => new TextEncoder().encode(text);
export const hex = (bytes) => Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
export const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const numberIn = (bytes) => BigInt("0x" + (hex(bytes) || "0"));

// --- Keccak-256, as Ethereum has it. Source: FIPS 202, 3.2 (the permutation), with the padding of before (0x01).

const MASK = (1n << 64n) - 1n;
const TURNS = [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14].map(BigInt);
const ROUNDS = (() => {
  const found = [];
  let bit = 1;
  for (let round = 0; round < 24; round++) {
    let constant = 0n;
    for (let power = 0; power < 7; power++) {
      if (bit & 1) constant |= 1n << BigInt((1 << power) - 1);
      bit = (bit << 1) ^ (bit & 0x80 ? 0x171 : 0);
    }
    found.push(constant);
  }
  return found;
})();
const turned = (word, by) => by ? ((word << by) | (word >> (64n - by))) & MASK : word;

function permute(state) {
  for (const constant of ROUNDS) {
    const column = [0, 1, 2, 3, 4].map((x) => state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20]);
    for (let at = 0; at < 25; at++) state[at] ^= column[(at + 4) % 5] ^ turned(column[(at + 1) % 5], 1n);
    const moved = [];
    for (let at = 0; at < 25; at++) {
      const x = at % 5, y = (at - x) / 5;
      moved[y + 5 * ((2 * x + 3 * y) % 5)] = turned(state[at], TURNS[at]);
    }
    for (let at = 0; at < 25; at++) {
      const row = at - (at % 5);
      state[at] = moved[at] ^ (~moved[row + ((at + 1) % 5)] & MASK & moved[row + ((at + 2) % 5)]);
    }
    state[0] ^= constant;
  }
}

export function keccak(bytes) {
  const rate = 136, padded = new Uint8Array((Math.floor(bytes.length / rate) + 1) * rate);
  padded.set(bytes);
  padded[bytes.length] ^= 0x01;
  padded[padded.length - 1] ^= 0x80;
  const state = Array(25).fill(0n), words = new DataView(padded.buffer);
  for (let block = 0; block < padded.length; block += rate) {
    for (let at = 0; at < rate / 8; at++) state[at] ^= words.getBigUint64(block + 8 * at, true);
    permute(state);
  }
  const out = new DataView(new ArrayBuffer(32));
  for (let at = 0; at < 4; at++) out.setBigUint64(8 * at, state[at], true);
  return new Uint8Array(out.buffer);
}

// HMAC (RFC 2104) over it, from which the curve draws the number of a signature (RFC 6979), with or without WebCrypto.
export function hmac(key, message) {
  const block = new Uint8Array(136);
  block.set(key.length > 136 ? keccak(key) : key);
  const inner = keccak(joined(block.map((one) => one ^ 0x36), message));
  return keccak(joined(block.map((one) => one ^ 0x5c), inner));
}

// --- statements: EIP-712

const left = (text) => bytesOf(text.padEnd(64, "0")); // bytesN
const right = (value) => bytesOf(BigInt(value).toString(16).padStart(64, "0")); // uintN and address

function digestOf(chainId, type, words) {
  const domain = joined(keccak(utf8(DOMAIN)), keccak(utf8(NAME)), keccak(utf8("1")), right(chainId), left(SALT));
  return keccak(joined([0x19, 0x01], keccak(domain), keccak(joined(keccak(utf8(type)), ...words))));
}

export function passDigest(pass, chainId) {
  return digestOf(chainId, PASS, [
    left(pass.eventId), left(pass.epochBlockHash), right(pass.epochBlock), left(pass.playerTag), left(pass.deckCommit),
    left(pass.holderKey), right(pass.policy), right(pass.serial), right(pass.issuedAt), right(pass.notAfter),
  ]);
}

function scanDigest(scan, chainId) {
  return digestOf(chainId, SCAN, [
    left(scan.eventId.slice(2)), right(scan.desk), right(scan.counter), right(scan.serial),
    left(scan.playerTag.slice(2)), left(scan.deckPass.slice(2)), right(scan.scannedAt), left(scan.previous.slice(2)),
  ]);
}

// The address of a public key of 65 bytes, in mixed case (EIP-55).
export function addressOf(publicKey) {
  const plain = hex(keccak(publicKey.slice(1)).slice(12)), marks = hex(keccak(utf8(plain)));
  return "0x" + [...plain].map((one, at) => parseInt(marks[at], 16) > 7 ? one.toUpperCase() : one).join("");
}

// --- what a scanner read

export function decoded(text) {
  const values = [...text].map((letter) => LETTERS.indexOf(letter));
  if (values.includes(-1) || values.length % 3 === 1) return null;
  const found = [];
  for (let at = 0; at < values.length; at += 3) {
    const number = values[at] + 45 * values[at + 1] + 2025 * (values[at + 2] ?? 0);
    const isPair = at + 2 < values.length;
    if (number > (isPair ? 0xffff : 0xff)) return null;
    if (isPair) found.push(number >> 8);
    found.push(number & 0xff);
  }
  return Uint8Array.from(found);
}

// The pass of a text; null if it is none.
export function read(text) {
  const raw = decoded(text);
  if (!raw || raw[0] !== 1 || ![UNBOUND, BOUND, PROVEN].includes(raw.length)) return null;
  const pass = { holderKey: ZEROS };
  let at = 1;
  for (const [name, size] of PLACES) {
    if (name === "holderKey" && raw.length === UNBOUND) continue;
    const part = raw.slice(at, at + size);
    pass[name] = size >= 16 ? hex(part) : numberIn(part);
    at += size;
  }
  const counted = pass.policy === 1n || pass.policy === 2n;
  const isUnsound = (raw.length !== UNBOUND && pass.holderKey === ZEROS) || pass.policy > 3n || pass.serial === 0n ||
    pass.notAfter < pass.issuedAt || pass.notAfter > LATEST || (counted && pass.epochBlockHash === ZEROS);
  if (isUnsound) return null;
  for (const name of ["policy", "serial", "issuedAt", "notAfter"]) pass[name] = Number(pass[name]);
  const head = raw.slice(0, at + 65), proof = raw.slice(at + 65);
  return {
    pass, head, signature: raw.slice(at, at + 65), isBound: pass.holderKey !== ZEROS,
    signedAt: proof.length ? Number(numberIn(proof.slice(0, 8))) : null, proof: proof.slice(8),
  };
}

function signerOf(digest, signature, curve) {
  const s = numberIn(signature.slice(32, 64)), v = signature[64];
  if (s > HALF_ORDER || (v !== 27 && v !== 28)) return null;
  try {
    const turned = joined([v - 27], signature.slice(0, 64));
    return addressOf(curve.recoverPublicKey(turned, digest, { prehash: false, isCompressed: false }));
  } catch {
    return null; // no key made it
  }
}

// --- the device of a bound pass: P-256. Source: SEC 1, 2.3.4; the pass has x, and y is even.

const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

function power(base, exponent) {
  let found = 1n;
  for (; exponent; exponent >>= 1n, base = base * base % P) if (exponent & 1n) found = found * base % P;
  return found;
}

export function pointOf(key) {
  const x = BigInt("0x" + key), square = (((x * x - 3n) * x + B) % P + P) % P, y = power(square, (P + 1n) / 4n);
  if (x >= P || y * y % P !== square) return null;
  return joined([4], right(x), right(y & 1n ? P - y : y));
}

// true, false, or null where this browser cannot tell.
async function isDevices(shown) {
  if (!globalThis.crypto?.subtle) return null;
  const point = pointOf(shown.pass.holderKey);
  if (!point) return false;
  const time = bytesOf(BigInt(shown.signedAt).toString(16).padStart(16, "0"));
  const message = joined(utf8("Deckproof holder 1\n"), shown.head, time);
  const kind = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  try {
    const key = await crypto.subtle.importKey("raw", point, kind, false, ["verify"]);
    return await crypto.subtle.verify(kind, key, shown.proof, message);
  } catch {
    return false;
  }
}

// --- the check

// What a pass comes to. known: what the server gave (`/desk/known`); used: who came in, by tag; at: seconds since 1970.
// Answers with the case, and in `words` every reason, each a key with what is put into it.
export async function check(text, known, used, at, curve) {
  const shown = read(text);
  if (!shown) return { case: "version", words: [] };
  const { pass } = shown;
  if (pass.eventId !== known.eventId) return { case: "event", words: [], shown };
  const signer = signerOf(passDigest(pass, known.chainId), shown.signature, curve);
  const key = known.keys.find((one) => one.address === signer);
  if (!key) return { case: "signature", words: [], shown };
  if (key.until !== null && Math.max(at, pass.issuedAt) > key.until) {
    return { case: "signature", words: [["old-key", key.until]], shown };
  }
  const guest = known.players[pass.playerTag] ?? null;
  const bad = [];
  if (at < pass.issuedAt - SLACK_S) bad.push(["time", ["early", pass.issuedAt]]);
  else if (at > pass.notAfter) bad.push(["time", ["over", pass.notAfter]]);
  if (known.revoked.includes(pass.serial)) bad.push(["revoked", ["revoked", pass.serial]]);
  const use = used.get(pass.playerTag);
  if (use) bad.push(["used", [use.serial === pass.serial ? "was-used" : "other-pass", use.at, use.where]]);
  let isUnsure = false;
  if (shown.isBound && shown.signedAt === null) bad.push(["holder", ["not-signed"]]);
  else if (shown.isBound) {
    const isTheirs = await isDevices(shown), age = at - shown.signedAt;
    isUnsure = isTheirs === null;
    if (isTheirs === false) bad.push(["holder", ["other-device"]]);
    else if (Math.abs(age) > FRESH_S) bad.push(["holder", ["stale", age]]);
  }
  if (bad.length) return { case: bad[0][0], words: bad.map((one) => one[1]), shown, guest };
  if (!guest && !shown.isBound) return { case: "unknown", words: [], shown, guest };
  return { case: isUnsure ? "provisional" : "kept", words: [], shown, guest, isIn: true };
}

// The desk's next scan. last: the one before, if there is one; secret: the desk's key, 32 bytes.
export function scanOf(shown, known, secret, at, last, curve) {
  const { pass } = shown, chainId = known.chainId;
  const made = {
    eventId: "0x" + pass.eventId,
    desk: addressOf(curve.getPublicKey(secret, false)).toLowerCase(),
    counter: (last?.counter ?? 0) + 1,
    serial: pass.serial,
    playerTag: "0x" + pass.playerTag,
    deckPass: "0x" + hex(passDigest(pass, chainId)),
    scannedAt: at,
    previous: "0x" + (last ? hex(scanDigest(last, chainId)) : ZEROS),
  };
  curve.hashes.hmacSha256 = hmac;
  const signed = curve.sign(scanDigest(made, chainId), secret, { prehash: false, format: "recovered", extraEntropy: true });
  return { ...made, signature: "0x" + hex(joined(signed.slice(1), [27 + signed[0]])) };
}
