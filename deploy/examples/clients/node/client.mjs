#!/usr/bin/env node
// @ts-check
/**
 * The phone's side of a purchase, without any package: a sample for React Native and others, and a client for
 * `counterfoil-conform`. The rules stand in `Client`. A real app replaces what is around it: `say` by StoreKit and the
 * screen, `Kept` by the keychain, the loop at the end by what happens. Events tell the time, in ms since 1970.
 *
 * @typedef {{buyerId: string, productId: string, token?: string, signedTransaction?: string, appReceipt?: string}} Proof
 * @typedef {{orderId?: string, token?: string, waits?: boolean}} Order `waits` while somebody else has to approve it
 * @typedef {{at: number, notBefore: number, failures: number, receiptId: string | null, isSending: boolean}} Attempt
 * @typedef {{event: string, number: number, atMs: number, buyerId: string, token: string, productId: string,
 *   transactionId: string, appAccountToken?: string, signedTransaction?: string, appReceipt: string}} PhoneEvent
 */
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const { COUNTERFOIL_BUNDLE_ID: bundleId = "", COUNTERFOIL_GATEWAY: gateway = "" } = process.env;
const waitMs = 20_000; // how long one request waits for a verdict
const pollMs = 15_000; // between two questions about a verdict that is pending
const longestPauseMs = 900_000; // between two tries
const timeoutMs = 40_000; // longer than a wait

/** @param {object} line what StoreKit or the screen is told */
const say = (line) => writeSync(1, JSON.stringify(line) + "\n");

/** Proofs and orders, on the disk before anything else happens with them. A real app has the keychain. */
class Kept {
  proofs = /** @type {Record<string, Proof>} */ ({});
  orders = /** @type {Record<string, Order>} */ ({}); // by buyer and product

  /** @param {string} folder */
  constructor(folder) { this.path = join(folder, "kept.json"); }

  /** What an earlier life has written; `Client` begins afterwards. */
  async read() {
    if (existsSync(this.path)) Object.assign(this, JSON.parse(readFileSync(this.path, "utf8")));
  }

  /** All of it or nothing, whenever the phone dies. `Client` waits for it, and never calls it twice at once. */
  async write() {
    const file = openSync(this.path + ".new", "w");
    writeSync(file, JSON.stringify({ proofs: this.proofs, orders: this.orders }));
    fsyncSync(file);
    closeSync(file);
    renameSync(this.path + ".new", this.path);
  }
}

class Client {
  buyer = ""; token = ""; now = 0;
  written = Promise.resolve(); // once all that was kept so far is on the disk
  attempts = /** @type {Map<string, Attempt>} */ (new Map()); // what this life knows of a transaction
  buying = /** @type {Map<string, string>} */ (new Map()); // products, with who is about to buy them

  /** @param {string} buyer @param {string} token @param {Kept} kept which was read */
  constructor(buyer, token, kept) { this.buyer = buyer; this.token = token; this.kept = kept; }

  /** @param {PhoneEvent} event */
  async take(event) {
    this.now = event.atMs;
    switch (event.event) {
      case "launch": case "foreground": case "online": this.resend(); break;
      case "login": this.login(event.buyerId, event.token); break;
      case "buy": await this.buy(event.productId); break;
      case "transaction": case "unfinished": await this.paid(event); break;
      case "receipt": await this.receiptCame(event.appReceipt); break;
      case "approvalPending": await this.notPaid(event.productId, "waitingForApproval", "deferred"); break;
      case "cancelled": await this.notPaid(event.productId, "ready", "cancelled"); break;
    }
    await Promise.all(Object.keys(this.kept.proofs).map((id) => this.submitIfDue(id)));
  }

  /** @param {string} buyer @param {string} token */
  login(buyer, token) {
    [this.buyer, this.token] = [buyer, token];
    for (const attempt of this.attempts.values()) attempt.receiptId = null;
    this.resend();
  }

  /** One after another: an older state never takes the place of a newer one. */
  keep() { return (this.written = this.written.catch(() => {}).then(() => this.kept.write())); }

  /** @param {string} productId is bought once at a time */
  async buy(productId) {
    if (this.isDelivering(productId)) return say({ show: "delivering", productId });
    if (this.buying.has(productId)) return;
    this.buying.set(productId, this.buyer);
    say({ show: "ordering", productId });
    const buyer = this.buyer; // nobody pays another login's order, nor what was paid meanwhile
    const isOn = () => this.buying.get(productId) === buyer && (buyer === this.buyer || !this.buying.delete(productId));
    const { order, refusal } = await this.order(productId);
    if (!isOn()) return;
    const show = { deferred: "waitingForApproval", paid: "delivering", parked: "delivering" }[refusal ?? ""];
    if (refusal) return this.buying.delete(productId) && say({ show: show ?? "needsHelp", productId, code: refusal });
    // It may be approved at any moment, whether or not the gateway was told, or can be asked. Another order comes only
    // once that one was closed at the gateway, because the approval was declined.
    const name = buyer + "/" + productId;
    const { orderId, waits } = this.kept.orders[name] ?? {};
    if (waits && (!order || [undefined, order.orderId].includes(orderId)))
      return this.notPaid(productId, "waitingForApproval", "deferred", order?.orderId);
    // Anew, with or without an order: what was said of an earlier purchase says nothing of this one.
    this.kept.orders[name] = order ? { orderId: order.orderId, token: order.appAccountToken } : {};
    await this.keep();
    if (!isOn()) return;
    say({ show: "paying", productId });
    // Without an order buy all the same: the purchase gets one when its proof arrives.
    say({ pay: productId, appAccountToken: order?.appAccountToken });
  }

  // A refusal forbids to pay; a gateway that cannot be asked, or is busy, does not.
  /** @param {string} productId @param {string} [key] @returns {Promise<{order?: any, refusal?: string}>} */
  async order(productId, key = randomUUID(), tries = 1) {
    const request = { bundleId, buyerId: this.buyer, productId, onlyOne: true };
    const { status, body } = await this.ask("POST", "/v1/orders", request, key);
    if (status === 0 && tries < 3) return this.order(productId, key, tries + 1); // the same key is the same order
    // 409 openOrder brings the order that is open: it is the one to pay, unless it is paid or waits for approval.
    const order = status === 201 ? body : body.order;
    if (order?.orderId) return order.state === "issued" ? { order } : { refusal: order.state };
    if (status >= 400 && status < 500 && ![408, 429].includes(status)) return { refusal: body.code ?? `${status}` };
    return {};
  }

  // StoreKit has a transaction: its proof is kept, with the buyer who made it, before it is sent.
  /** @param {PhoneEvent} event */
  async paid({ transactionId: id, productId, signedTransaction, appAccountToken }) {
    this.buying.delete(productId);
    const proof = this.kept.proofs[id] ?? { buyerId: this.buyer, productId, token: appAccountToken?.toLowerCase() };
    // A refund has another proof than the purchase.
    this.kept.proofs[id] = signedTransaction ? { ...proof, signedTransaction } : proof;
    say({ show: "delivering", productId });
    await this.keep();
    if (!hasProof(proof) && !signedTransaction) say({ refreshReceipt: true });
    this.resend();
  }

  /** @param {string} appReceipt */
  async receiptCame(appReceipt) {
    for (const proof of Object.values(this.kept.proofs)) if (!proof.signedTransaction) proof.appReceipt = appReceipt;
    await this.keep();
    this.resend();
  }

  /** @param {string} productId @param {string} state @param {string} outcome @param {string} [newId] */
  async notPaid(productId, state, outcome, newId) {
    const buyer = this.buying.get(productId) ?? this.buyer; // whoever is logged in by now
    this.buying.delete(productId);
    const kept = this.kept.orders[buyer + "/" + productId];
    const orderId = kept?.orderId ?? newId;
    this.kept.orders[buyer + "/" + productId] = { ...kept, orderId, waits: outcome === "deferred" };
    await this.keep();
    if (buyer !== this.buyer) return;
    say({ show: state, productId });
    if (orderId) await this.ask("POST", `/v1/orders/${orderId}/report`, { outcome }); // a help to support only
  }

  /** There is a reason to try everything now, but never before Retry-After. */
  resend() { for (const attempt of this.attempts.values()) attempt.at = attempt.notBefore; }

  /** @param {string} id has one sender at a time */
  async submitIfDue(id) {
    const attempt = this.attempts.get(id) ?? { at: 0, notBefore: 0, failures: 0, receiptId: null, isSending: false };
    this.attempts.set(id, attempt);
    if (attempt.isSending || attempt.at > this.now || !hasProof(this.kept.proofs[id])) return;
    attempt.isSending = true;
    const sending = this.written.then(() => this.submit(id, this.kept.proofs[id], attempt));
    await sending.finally(() => (attempt.isSending = false));
  }

  /** @param {string} id @param {Proof} proof is sent, or asked about @param {Attempt} attempt */
  async submit(id, proof, attempt) {
    const { status, body, retryAfterMs } = attempt.receiptId
      ? await this.ask("GET", `/v1/receipts/${attempt.receiptId}?wait=${waitMs}`)
      : await this.ask("POST", `/v1/receipts?wait=${waitMs}`, this.request(proof));
    // No other status, and no other body, ever means finish.
    if (status === 200 && body.finish === true) return this.finish(id, proof, body.verdict);
    // Doubles up to a limit, less up to a quarter by chance; what the gateway says comes first.
    let pauseMs = Math.min(longestPauseMs, 2_000 * 2 ** Math.min(attempt.failures, 10)) * (1 - Math.random() / 4);
    [attempt.failures, attempt.receiptId] = [attempt.failures + 1, null];
    if (status === 202 && body.verdict === "pending") {
      // It is recorded: now only the verdict is missing.
      [attempt.failures, pauseMs] = [0, pollMs];
      if (body.reason === "emptyReceipt") say({ refreshReceipt: true });
      else attempt.receiptId = body.receiptId ?? null;
    } else if (status === 200 && ["parked", "invalid"].includes(body.verdict)) {
      say({ show: "needsHelp", productId: proof.productId, code: body.receiptId });
    }
    attempt.notBefore = this.now + retryAfterMs;
    attempt.at = Math.max(this.now + pauseMs, attempt.notBefore);
  }

  /** @param {Proof} proof keeps the buyer who made it, whoever is logged in */
  request({ buyerId, productId, signedTransaction, appReceipt }) {
    return {
      bundleId, buyerId: this.buyer, purchasedBy: buyerId === this.buyer ? undefined : buyerId,
      orderId: this.kept.orders[buyerId + "/" + productId]?.orderId,
      ...(signedTransaction ? { signedTransaction } : { appReceipt }),
    };
  }

  // Finishes first: if the phone dies in between, the proof is only sent once more.
  /** @param {string} id @param {Proof} proof @param {string} verdict */
  async finish(id, { buyerId, productId, token }, verdict) {
    say({ finish: id });
    this.attempts.delete(id);
    delete this.kept.proofs[id];
    const name = buyerId + "/" + productId; // another purchase of the product may still wait for approval
    if (this.kept.orders[name]?.token === token) delete this.kept.orders[name];
    await this.keep();
    if (buyerId !== this.buyer || this.isDelivering(productId)) return;
    say({ show: { granted: "done", ended: "ready" }[verdict] ?? "alreadyOwned", productId });
  }

  /** @param {string} productId */
  isDelivering(productId) { return Object.values(this.kept.proofs).some((proof) => proof.productId === productId); }

  /** @param {string} method @param {string} path @param {object} [body] @param {string} [key] status 0 is no answer */
  async ask(method, path, body, key) {
    const headers = { Authorization: "Bearer " + this.token, "Content-Type": "application/json" };
    if (key) Object.assign(headers, { "Idempotency-Key": key });
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), timeoutMs);
    try {
      const request = { method, headers, body: body && JSON.stringify(body), signal: abort.signal };
      const answer = await fetch(gateway + path, request);
      const retryAfterMs = 1_000 * (Number(answer.headers.get("Retry-After")) || 0);
      return { status: answer.status, body: object(await answer.text()), retryAfterMs };
    } catch { return { status: 0, body: {}, retryAfterMs: 0 }; } finally { clearTimeout(timer); }
  }
}

/** @param {Proof} proof */
const hasProof = (proof) => Boolean(proof?.signedTransaction ?? proof?.appReceipt);

// A JSON object; an empty one if something between the phone and the gateway has said something else.
/** @param {string} text @returns {Record<string, any>} */
function object(text) {
  try { return Object(JSON.parse(text)); } catch { return {}; }
}

const { COUNTERFOIL_BUYER = "", COUNTERFOIL_TOKEN = "", COUNTERFOIL_FILES = "" } = process.env;
const kept = new Kept(COUNTERFOIL_FILES);
await kept.read();
const client = new Client(COUNTERFOIL_BUYER, COUNTERFOIL_TOKEN, kept);
for await (const line of createInterface({ input: process.stdin })) {
  const event = /** @type {PhoneEvent} */ (JSON.parse(line));
  client.take(event).then(() => say({ handled: event.number }));
}
process.exit(0);
