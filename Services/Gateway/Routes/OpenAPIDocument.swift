/// The description of the edge that clients and their tools read, written by hand.
///
/// A test holds it against the routes: what is answered is described, and what is described is answered.
enum OpenAPIDocument {
    /// The document, OpenAPI 3.1.
    static let text = #"""
        {
          "openapi": "3.1.0",
          "info": {
            "title": "Counterfoil",
            "version": "1.0.0",
            "summary": "Orders, receipts and entitlements of Apple in-app purchases.",
            "description": "All times are integers: milliseconds since 1970-01-01T00:00:00Z. No status code ever means that a transaction may be finished; only `\"finish\": true` in a 200 body does. After 503 and after a lost connection send the same request again: repeats are harmless. Members that are not described here may be added; ignore what you do not know."
          },
          "security": [{ "key": [] }],
          "paths": {
            "/v1/orders": {
              "post": {
                "summary": "Makes an order before any money moves.",
                "description": "Give `appAccountToken` to StoreKit. The same Idempotency-Key with the same content gives the same order, with other content 409.",
                "parameters": [
                  { "name": "Idempotency-Key", "in": "header", "required": true, "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]([ -~]*[!-~])?$" } }
                ],
                "requestBody": { "required": true, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/NewOrder" } } } },
                "responses": {
                  "201": { "$ref": "#/components/responses/Order" },
                  "400": { "$ref": "#/components/responses/Problem" },
                  "401": { "$ref": "#/components/responses/Problem" },
                  "403": { "$ref": "#/components/responses/Problem" },
                  "405": { "$ref": "#/components/responses/WrongMethod" }, "409": { "$ref": "#/components/responses/Problem" },
                  "413": { "$ref": "#/components/responses/Problem" },
                  "422": { "$ref": "#/components/responses/Problem" },
                  "503": { "$ref": "#/components/responses/Unavailable" }
                }
              },
              "get": {
                "summary": "Finds orders by the studio's own order number.",
                "parameters": [
                  { "name": "reference", "in": "query", "required": true, "schema": { "$ref": "#/components/schemas/Reference" } }
                ],
                "responses": {
                  "200": {
                    "description": "The orders with this reference; none is an empty list.",
                    "content": { "application/json": { "schema": {
                      "type": "object", "required": ["orders"],
                      "properties": { "orders": { "type": "array", "items": { "$ref": "#/components/schemas/Order" } } }
                    } } }
                  },
                  "401": { "$ref": "#/components/responses/Problem" },
                  "405": { "$ref": "#/components/responses/WrongMethod" }, "422": { "$ref": "#/components/responses/Problem" },
                  "503": { "$ref": "#/components/responses/Unavailable" }
                }
              }
            },
            "/v1/orders/{orderId}": {
              "get": {
                "summary": "Says how far an order has come.",
                "parameters": [{ "$ref": "#/components/parameters/orderId" }],
                "responses": {
                  "200": { "$ref": "#/components/responses/Order" },
                  "401": { "$ref": "#/components/responses/Problem" },
                  "404": { "$ref": "#/components/responses/Problem" },
                  "405": { "$ref": "#/components/responses/WrongMethod" }, "422": { "$ref": "#/components/responses/Problem" },
                  "503": { "$ref": "#/components/responses/Unavailable" }
                }
              }
            },
            "/v1/orders/{orderId}/close": {
              "post": {
                "summary": "Gives an unpaid order up; a payment that comes all the same is granted.",
                "parameters": [{ "$ref": "#/components/parameters/orderId" }],
                "requestBody": { "required": true, "content": { "application/json": { "schema": {
                  "type": "object", "required": ["reason"],
                  "properties": { "reason": { "enum": ["cancelled", "failed", "expired", "superseded"] } }
                } } } },
                "responses": {
                  "200": { "$ref": "#/components/responses/Order" },
                  "400": { "$ref": "#/components/responses/Problem" },
                  "401": { "$ref": "#/components/responses/Problem" },
                  "404": { "$ref": "#/components/responses/Problem" },
                  "405": { "$ref": "#/components/responses/WrongMethod" }, "409": { "$ref": "#/components/responses/Problem" },
                  "413": { "$ref": "#/components/responses/Problem" },
                  "422": { "$ref": "#/components/responses/Problem" },
                  "503": { "$ref": "#/components/responses/Unavailable" }
                }
              }
            },
            "/v1/receipts": {
              "post": {
                "summary": "Hands a proof of payment in and waits for the verdict.",
                "description": "Needs no Idempotency-Key: the same proof of the same buyer is the same receipt. Any 2xx says that the proof is kept durably. An `orderId` that is unknown or malformed is a hint that leads nowhere, never an error.",
                "parameters": [
                  { "name": "wait", "in": "query", "description": "How long to wait for the verdict once the proof is kept, in ms.", "schema": { "type": "integer", "minimum": 0, "maximum": 30000, "default": 5000 } }
                ],
                "requestBody": { "required": true, "content": { "application/json": { "schema": { "$ref": "#/components/schemas/NewReceipt" } } } },
                "responses": {
                  "200": { "$ref": "#/components/responses/Receipt" },
                  "202": { "$ref": "#/components/responses/PendingReceipt" },
                  "400": { "$ref": "#/components/responses/Problem" },
                  "401": { "$ref": "#/components/responses/Problem" },
                  "403": { "$ref": "#/components/responses/Problem" },
                  "405": { "$ref": "#/components/responses/WrongMethod" }, "413": { "$ref": "#/components/responses/Problem" },
                  "422": { "$ref": "#/components/responses/Problem" },
                  "503": { "$ref": "#/components/responses/Unavailable" }
                }
              }
            },
            "/v1/receipts/{receiptId}": {
              "get": {
                "summary": "Says what became of a proof.",
                "parameters": [
                  { "name": "receiptId", "in": "path", "required": true, "schema": { "type": "string" } },
                  { "name": "wait", "in": "query", "description": "How long to wait for the verdict, in ms.", "schema": { "type": "integer", "minimum": 0, "maximum": 30000, "default": 0 } }
                ],
                "responses": {
                  "200": { "$ref": "#/components/responses/Receipt" },
                  "202": { "$ref": "#/components/responses/PendingReceipt" },
                  "401": { "$ref": "#/components/responses/Problem" },
                  "404": { "$ref": "#/components/responses/Problem" },
                  "405": { "$ref": "#/components/responses/WrongMethod" }, "422": { "$ref": "#/components/responses/Problem" },
                  "503": { "$ref": "#/components/responses/Unavailable" }
                }
              }
            },
            "/v1/apple/notifications": {
              "post": {
                "summary": "Takes App Store Server Notifications, version 2 and version 1; give this address to App Store Connect.",
                "description": "Needs no key. Version 2: Apple's signature is checked; 200 says that the notification is kept durably, and a repeat is harmless. Version 1 bears no signature and is only a hint: 200 says that Apple will be asked about the purchases that it names. 503 asks Apple to deliver it again.",
                "security": [],
                "requestBody": { "required": true, "content": { "application/json": { "schema": { "anyOf": [
                  { "$ref": "#/components/schemas/Notification" }, { "$ref": "#/components/schemas/NotificationV1" }
                ] } } } },
                "responses": {
                  "200": { "description": "Version 2: kept. Version 1: Apple will be asked.", "content": { "application/json": { "schema": { "oneOf": [
                    { "$ref": "#/components/schemas/KeptNotification" }, { "$ref": "#/components/schemas/HintedPurchases" }
                  ] } } } },
                  "400": { "$ref": "#/components/responses/Problem" },
                  "405": { "$ref": "#/components/responses/WrongMethod" }, "413": { "$ref": "#/components/responses/Problem" },
                  "422": { "$ref": "#/components/responses/Problem" },
                  "503": { "$ref": "#/components/responses/Unavailable" }
                }
              }
            },
            "/v1/buyers/{buyerId}/entitlements": {
              "get": {
                "summary": "Says what a buyer holds.",
                "parameters": [
                  { "$ref": "#/components/parameters/buyerId" },
                  { "name": "environment", "in": "query", "schema": { "$ref": "#/components/schemas/Environment", "default": "Production" } }
                ],
                "responses": {
                  "200": { "description": "What the buyer holds.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Entitlements" } } } },
                  "401": { "$ref": "#/components/responses/Problem" },
                  "405": { "$ref": "#/components/responses/WrongMethod" }, "422": { "$ref": "#/components/responses/Problem" },
                  "503": { "$ref": "#/components/responses/Unavailable" }
                }
              }
            },
            "/v1/buyers/{buyerId}/ledger": {
              "get": {
                "summary": "Lists the entries that led to what a buyer holds, oldest first.",
                "parameters": [
                  { "$ref": "#/components/parameters/buyerId" },
                  { "name": "after", "in": "query", "description": "`next` of the page before.", "schema": { "type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[A-Za-z0-9._-]+$" } },
                  { "name": "limit", "in": "query", "schema": { "type": "integer", "minimum": 1, "maximum": 1000, "default": 100 } },
                  { "name": "environment", "in": "query", "description": "Only entries of this environment; all without it.", "schema": { "$ref": "#/components/schemas/Environment" } }
                ],
                "responses": {
                  "200": { "description": "A page of the ledger.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Ledger" } } } },
                  "401": { "$ref": "#/components/responses/Problem" },
                  "405": { "$ref": "#/components/responses/WrongMethod" }, "422": { "$ref": "#/components/responses/Problem" },
                  "503": { "$ref": "#/components/responses/Unavailable" }
                }
              }
            },
            "/livez": {
              "get": { "summary": "Says that this process runs.", "security": [], "responses": { "200": { "description": "It runs." }, "405": { "$ref": "#/components/responses/WrongMethod" } } }
            },
            "/readyz": {
              "get": {
                "summary": "Says whether every partition answers, and whether this is a home for tests.",
                "security": [],
                "responses": { "200": { "description": "All partitions answer." }, "405": { "$ref": "#/components/responses/WrongMethod" }, "503": { "description": "At least one does not." } }
              }
            },
            "/metrics": {
              "get": {
                "summary": "Figures of all partitions in Prometheus' text format.",
                "security": [],
                "responses": { "200": { "description": "The figures.", "content": { "text/plain": {} } }, "405": { "$ref": "#/components/responses/WrongMethod" }, "503": { "$ref": "#/components/responses/Unavailable" } }
              }
            },
            "/openapi.json": {
              "get": { "summary": "This document.", "security": [], "responses": { "200": { "description": "The document." }, "405": { "$ref": "#/components/responses/WrongMethod" } } }
            }
          },
          "components": {
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer", "description": "A key of one app; it opens the edge for that app only." } },
            "parameters": {
              "orderId": { "name": "orderId", "in": "path", "required": true, "schema": { "type": "string", "format": "uuid" } },
              "buyerId": { "name": "buyerId", "in": "path", "required": true, "description": "Percent-encoded.", "schema": { "$ref": "#/components/schemas/BuyerID" } }
            },
            "responses": {
              "Order": { "description": "The order.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Order" } } } },
              "Receipt": { "description": "The verdict, final or `parked`.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Receipt" } } } },
              "PendingReceipt": { "description": "The proof is kept, the verdict is `pending`: ask again, or send the same proof again.", "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Receipt" } } } },
              "Problem": { "description": "The request has no effect; `field` names what is wrong.", "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } } },
              "WrongMethod": {
                "description": "The path is there, but not for this method.",
                "headers": { "Allow": { "description": "The methods that it takes.", "schema": { "type": "string" } } },
                "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } }
              },
              "Unavailable": {
                "description": "Nothing is known of the outcome, or nothing was accepted (too much is in hand, or the body did not come in time): send the same request again.",
                "headers": { "Retry-After": { "description": "Seconds.", "schema": { "type": "integer" } } },
                "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } }
              }
            },
            "schemas": {
              "BundleID": { "type": "string", "minLength": 1, "maxLength": 155, "pattern": "^[A-Za-z0-9._-]+$" },
              "BuyerID": { "type": "string", "description": "Printable text, 128 bytes of UTF-8 at most.", "minLength": 1, "maxLength": 128, "pattern": "^[^\\u0000-\\u001F\\u007F]+$" },
              "Reference": { "type": "string", "description": "The studio's own order number: printable text, 128 bytes of UTF-8 at most.", "minLength": 1, "maxLength": 128, "pattern": "^[^\\u0000-\\u001F\\u007F]+$" },
              "ProductID": { "type": "string", "description": "Printable text, 255 bytes of UTF-8 at most.", "minLength": 1, "maxLength": 255, "pattern": "^[^\\u0000-\\u001F\\u007F]+$" },
              "Environment": { "enum": ["Production", "Sandbox", "Xcode", "LocalTesting"] },
              "Time": { "type": "integer", "description": "Milliseconds since 1970-01-01T00:00:00Z." },
              "Metadata": { "type": "object", "description": "2 KiB of JSON at most; returned with the order, its ledger entries and its webhooks." },
              "Verdict": {
                "enum": ["granted", "alreadyGranted", "ended", "pending", "parked", "conflict", "invalid"],
                "description": "granted: in the ledger now. alreadyGranted: in the ledger since earlier. ended: genuine, but nothing to hold now. pending: kept, not decided yet. parked: kept, an operator must decide. conflict: held by another buyer. invalid: proven not to be a payment."
              },
              "Reason": {
                "type": "string",
                "description": "Why the verdict is what it is; others may be added. With `pending`: emptyReceipt (the app should refresh its receipt), askingApple (only Apple can say whether it is genuine, and is being asked). With `parked`: unverified (only Apple could say, and no way to ask is configured), unknownToApple (Apple knows no such transaction of the app), contradicted (Apple tells of the transaction otherwise than the proof), undecidedByApple (Apple says neither yes nor no), untrusted, expiredCertificate, unreadable, wrongDevice, unknownApp, wrongApp, wrongEnvironment, sandboxRefused, unknownProduct, retiredProduct, unsupportedType, unsupportedQuantity. With `ended`: refunded. With `invalid`: malformed, tooLarge, unsigned, badSignature, refusedByApple (Apple says that the receipt is none of its own), neverPurchased (Apple knows no such account).",
                "examples": ["emptyReceipt", "askingApple", "unknownToApple", "contradicted"]
              },
              "Notification": {
                "type": "object", "required": ["signedPayload"],
                "properties": {
                  "signedPayload": { "type": "string", "maxLength": 262144, "pattern": "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$", "description": "A compact JWS, version 2." },
                  "notification_type": { "type": ["string", "null"] }
                }
              },
              "NotificationV1": {
                "type": "object", "required": ["notification_type"],
                "description": "What version 1 says of an app and its purchases; whatever else it says is not read. The purchases are those of the receipts in it, ten at most, the newest first.",
                "properties": {
                  "signedPayload": { "type": "null" },
                  "notification_type": { "type": "string" },
                  "bid": { "$ref": "#/components/schemas/BundleID" },
                  "environment": { "enum": ["PROD", "Sandbox"] },
                  "password": { "type": "string", "description": "The app's shared secret." },
                  "original_transaction_id": { "type": "string" },
                  "unified_receipt": { "type": "object", "properties": {
                    "latest_receipt_info": { "type": "array", "items": { "type": "object" } },
                    "pending_renewal_info": { "type": "array", "items": { "type": "object" } }
                  } }
                }
              },
              "KeptNotification": {
                "type": "object", "required": ["notificationUUID", "isRepeated"],
                "properties": { "notificationUUID": { "type": "string" }, "isRepeated": { "type": "boolean" } }
              },
              "HintedPurchases": {
                "type": "object", "required": ["hinted"],
                "properties": { "hinted": { "type": "array", "maxItems": 10, "items": { "type": "string" }, "description": "Original transaction ids about which Apple will be asked." } }
              },
              "NewOrder": {
                "type": "object", "required": ["bundleId", "buyerId", "productId"],
                "properties": {
                  "bundleId": { "$ref": "#/components/schemas/BundleID" },
                  "buyerId": { "$ref": "#/components/schemas/BuyerID" },
                  "productId": { "$ref": "#/components/schemas/ProductID" },
                  "quantity": { "type": ["integer", "null"], "minimum": 1, "maximum": 10, "default": 1 },
                  "environment": { "anyOf": [{ "$ref": "#/components/schemas/Environment" }, { "type": "null" }], "default": "Production" },
                  "reference": { "anyOf": [{ "$ref": "#/components/schemas/Reference" }, { "type": "null" }] },
                  "metadata": { "anyOf": [{ "$ref": "#/components/schemas/Metadata" }, { "type": "null" }] }
                }
              },
              "Order": {
                "type": "object",
                "required": ["orderId", "appAccountToken", "state", "bundleId", "buyerId", "productId", "quantity", "environment", "createdAt"],
                "properties": {
                  "orderId": { "type": "string", "format": "uuid" },
                  "appAccountToken": { "type": "string", "format": "uuid" },
                  "state": { "enum": ["issued", "closed", "paid", "granted", "reversed", "parked"] },
                  "bundleId": { "$ref": "#/components/schemas/BundleID" },
                  "buyerId": { "$ref": "#/components/schemas/BuyerID" },
                  "productId": { "$ref": "#/components/schemas/ProductID" },
                  "quantity": { "type": "integer" },
                  "environment": { "$ref": "#/components/schemas/Environment" },
                  "reference": { "type": "string" },
                  "metadata": { "$ref": "#/components/schemas/Metadata" },
                  "createdAt": { "$ref": "#/components/schemas/Time" },
                  "closeReason": { "enum": ["cancelled", "failed", "expired", "superseded"] },
                  "transactionId": { "type": "string" },
                  "paidAt": { "$ref": "#/components/schemas/Time" },
                  "grantedAt": { "$ref": "#/components/schemas/Time" },
                  "late": { "type": "boolean", "description": "Whether the payment came after the order had been closed." }
                }
              },
              "NewReceipt": {
                "type": "object", "required": ["bundleId", "buyerId"],
                "description": "Exactly one of `signedTransaction`, `appReceipt` and `transactionReceipt` is given.",
                "oneOf": [
                  { "required": ["signedTransaction"], "properties": { "signedTransaction": { "type": "string" }, "appReceipt": { "type": "null" }, "transactionReceipt": { "type": "null" } } },
                  { "required": ["appReceipt"], "properties": { "signedTransaction": { "type": "null" }, "appReceipt": { "type": "string" }, "transactionReceipt": { "type": "null" } } },
                  { "required": ["transactionReceipt"], "properties": { "signedTransaction": { "type": "null" }, "appReceipt": { "type": "null" }, "transactionReceipt": { "type": "string" } } }
                ],
                "properties": {
                  "bundleId": { "$ref": "#/components/schemas/BundleID" },
                  "buyerId": { "$ref": "#/components/schemas/BuyerID" },
                  "orderId": { "type": ["string", "null"], "description": "The order that the phone thinks it paid." },
                  "signedTransaction": { "type": ["string", "null"], "description": "StoreKit 2's signed transaction, a compact JWS." },
                  "appReceipt": { "type": ["string", "null"], "description": "The app's receipt (PKCS#7), base64; everything in it is judged, oldest first." },
                  "transactionReceipt": { "type": ["string", "null"], "description": "The iOS 6 receipt of one transaction, base64; nothing in it is trusted, so Apple is asked where a way to ask is configured, and it is parked where none is." },
                  "deviceId": { "type": ["string", "null"], "minLength": 1, "maxLength": 64, "pattern": "^[^\\u0000-\\u001F\\u007F]+$", "description": "The device that `appReceipt` has to be made for: `identifierForVendor`, or a Mac's MAC address." }
                }
              },
              "Receipt": {
                "type": "object", "required": ["receiptId", "verdict", "finish", "transactions"],
                "properties": {
                  "receiptId": { "type": "string" },
                  "verdict": { "$ref": "#/components/schemas/Verdict" },
                  "finish": { "type": "boolean", "description": "Whether the phone may finish all transactions of the proof." },
                  "reason": { "$ref": "#/components/schemas/Reason" },
                  "transactions": { "type": "array", "items": {
                    "type": "object",
                    "required": ["transactionId", "originalTransactionId", "productId", "quantity", "environment", "verdict", "finish"],
                    "properties": {
                      "transactionId": { "type": "string" },
                      "originalTransactionId": { "type": "string" },
                      "productId": { "$ref": "#/components/schemas/ProductID" },
                      "quantity": { "type": "integer" },
                      "environment": { "type": "string" },
                      "orderId": { "type": "string", "format": "uuid" },
                      "verdict": { "$ref": "#/components/schemas/Verdict" },
                      "finish": { "type": "boolean", "description": "Whether the phone may finish this transaction." },
                      "reason": { "$ref": "#/components/schemas/Reason" }
                    }
                  } }
                }
              },
              "Entitlements": {
                "type": "object", "required": ["buyerId", "environment", "balances", "entitlements"],
                "properties": {
                  "buyerId": { "$ref": "#/components/schemas/BuyerID" },
                  "environment": { "$ref": "#/components/schemas/Environment" },
                  "balances": { "type": "object", "additionalProperties": { "type": "integer" }, "description": "May be negative after a refund of what was spent." },
                  "entitlements": { "type": "array", "items": {
                    "type": "object", "required": ["entitlement", "productId", "since"],
                    "properties": {
                      "entitlement": { "type": "string" },
                      "productId": { "$ref": "#/components/schemas/ProductID" },
                      "since": { "$ref": "#/components/schemas/Time" },
                      "expires": { "$ref": "#/components/schemas/Time" }
                    }
                  } }
                }
              },
              "Ledger": {
                "type": "object", "required": ["entries"],
                "properties": {
                  "entries": { "type": "array", "items": {
                    "type": "object",
                    "required": ["entryId", "kind", "entitlement", "amount", "transactionId", "purchaseId", "productId", "orderId", "environment", "time"],
                    "properties": {
                      "entryId": { "type": "string", "pattern": "^[0-9a-f]{32}$", "description": "Follows from what the entry says." },
                      "kind": { "enum": ["grant", "reversal", "reinstatement"] },
                      "entitlement": { "type": "string" },
                      "amount": { "type": "integer", "description": "Signed: what the entry adds." },
                      "transactionId": { "type": "string" },
                      "purchaseId": { "type": "string", "description": "What was paid for once: the same for all transaction ids of a purchase that was restored." },
                      "productId": { "$ref": "#/components/schemas/ProductID" },
                      "orderId": { "type": "string", "format": "uuid" },
                      "reference": { "type": "string" },
                      "metadata": { "$ref": "#/components/schemas/Metadata" },
                      "environment": { "type": "string" },
                      "time": { "$ref": "#/components/schemas/Time" }
                    }
                  } },
                  "next": { "type": "string", "description": "Pass it as `after` for the next page; absent on the last one." }
                }
              },
              "Problem": {
                "type": "object", "required": ["type", "title", "status", "detail"],
                "properties": {
                  "type": { "type": "string" },
                  "title": { "type": "string" },
                  "status": { "type": "integer" },
                  "detail": { "type": "string" },
                  "field": { "type": "string", "description": "The member, parameter or header that is wrong." }
                }
              }
            }
          }
        }
        """#
}
