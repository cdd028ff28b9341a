#!/usr/bin/env node
/**
 * Takes webhooks and adds coins up, each change once: however often one comes, and whenever this is killed.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { createServer } from "node:http";

function isGenuine(secret, headers, body) {
  const timestamp = headers["counterfoil-timestamp"] ?? "";
  const expected = Buffer.from("v1=" + createHmac("sha256", secret).update(timestamp + ".").update(body).digest("hex"));
  const given = (headers["counterfoil-signature"] ?? "").split(" ").map((text) => Buffer.from(text)); // two in a change
  const isSigned = given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  return isSigned && Math.abs(Date.now() / 1000 - timestamp) < 300;
}

/** A table in a file, a row a line: the event's id, and what it adds. A real server has a database. */
class Credits {
  constructor(file) {
    this.seen = new Set();
    this.sums = {}; // of each buyer, by environment
    const text = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    const whole = text.lastIndexOf("\n") + 1; // a row that was cut short was never answered
    if (whole < text.length) truncateSync(file, whole);
    for (const line of text.subarray(0, whole).toString().split("\n").filter(Boolean)) this.add(JSON.parse(line));
    this.file = openSync(file, "a");
    process.on("exit", () => closeSync(this.file));
  }

  add({ id, buyer, environment, amount }) {
    this.seen.add(id);
    if (amount !== 0) (this.sums[buyer] ??= {})[environment] = (this.sums[buyer][environment] ?? 0) + amount;
  }

  /** The id and what it adds are one row; it is on the disk before anybody is answered. */
  take({ id, type, environment, data }) {
    if (this.seen.has(id)) return;
    const row = { id, buyer: data.buyerId, environment, amount: 0 };
    if (type === "counterfoil.entitlement.changed.v1") {
      const account = "buyer:" + data.buyerId;
      for (const entry of data.entries.filter((entry) => entry.entitlement === "coins")) {
        row.amount += entry.amount * ((entry.to === account) - (entry.from === account));
      }
    }
    writeSync(this.file, JSON.stringify(row) + "\n");
    fsyncSync(this.file);
    this.add(row);
  }
}

const secret = process.env.WEBHOOK_SECRET; // with an empty one anybody could sign
if (!secret || process.argv.length !== 4) throw new Error("usage: WEBHOOK_SECRET=… receiver.mjs PORT FILE");
const credits = new Credits(process.argv[3]);
createServer(async (request, response) => {
  if (request.method !== "POST") return response.end(JSON.stringify(credits.sums[request.url.slice(7)] ?? {}) + "\n");
  const body = Buffer.concat(await request.toArray());
  if (!isGenuine(secret, request.headers, body)) return response.writeHead(401).end("{}\n");
  credits.take(JSON.parse(body));
  response.end("{}\n"); // only now: what is answered does not come again
}).listen(Number(process.argv[2]), "127.0.0.1");
