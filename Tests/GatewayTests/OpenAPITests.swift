import Contracts
import Foundation
import HTTPTypes
import NIOCore
import TestKit
import Testing

@testable import Gateway

@Suite struct `The description of the interface` {
    @Test(arguments: [false, true])
    func `lists every route that its listener has, and no other`(forOperators: Bool) async throws {
        let document = try await OpenAPIDocument(forOperators: forOperators)
        #expect(document["openapi"] == .string("3.1.0"))
        let gateway = TestGateway().context
        let routes = (forOperators ? gateway.operations : gateway.routes)
            .map { "\($0.method.rawValue.lowercased()) \($0.path)" }
        #expect(document.described == Set(routes))
        #expect(Set(routes).count == routes.count)
    }

    @Test(arguments: [false, true])
    func `refers only to what it holds`(forOperators: Bool) async throws {
        let document = try await OpenAPIDocument(forOperators: forOperators)
        let references = document.text.matches(of: /"#\/components\/(\w+)\/(\w+)"/).map {
            (String($0.output.1), String($0.output.2))
        }
        #expect(!references.isEmpty)
        for (kind, name) in references { #expect(document["components", kind, name] != nil, "\(name)") }
    }

    @Test func `describes every member that responses carry`() async throws {
        let body = #"""
            {"bundleId":"com.example.game","buyerId":"b1","productId":"coins.100","reference":"r","metadata":{"a":1}}
            """#
        let report = #"{"outcome":"failed","errorDomain":"SKErrorDomain","errorCode":0}"#
        let consent = ByteBuffer(string: #"{"consumption":true}"#)
        let notifications = "/v1/apple/server-notifications"
        let hint = #"""
            {"notification_type":"REFUND","bid":"com.example.game","original_transaction_id":"7",
             "password":"\#(TestGateway.sharedSecret)"}
            """#
        let document = try await OpenAPIDocument()
        let gateway = TestGateway()
        let responses = [
            ("Order", try await gateway.issue(body)),
            ("Receipt", try await gateway.post("/v1/receipts", TestGateway.receipt)),
            ("Entitlements", try await gateway.get("/v1/buyers/b1/entitlements")),
            ("Subscriptions", try await gateway.get("/v1/buyers/b1/subscriptions")),
            ("Ledger", try await gateway.get("/v1/buyers/b1/ledger")),
            ("WalletEntry", try await gateway.spend(#"{"entitlement":"coins","amount":1}"#)),
            ("Consent", try await gateway.send(.put, "/v1/buyers/b1/consent", body: consent)),
            ("ReportedOrder", try await gateway.post("/v1/orders/\(FakeCaller.orderID)/report", report)),
            ("Orders", try await gateway.get("/v1/buyers/b1/orders")),
            ("Problem", try await gateway.issue("{}")),
            ("RecordedServerNotification", try await gateway.post(notifications, #"{"signedPayload":"x"}"#)),
            ("HintedPurchases", try await gateway.post(notifications, hint)),
        ]
        for (schema, response) in responses {
            let members = try #require(response.json).names
            let described = try #require(document["components", "schemas", schema, "properties"]).names
            #expect(!members.isEmpty && members.isSubset(of: described), "\(schema)")
        }
    }

    @Test(arguments: [
        ("EntitlementChanged", [String]()), ("EntitlementChanged.data", ["data"]),
        ("EntitlementChanged.data.submission", ["data", "submission"]),
        ("OrderTerms", ["data", "order"]), ("TransactionFacts", ["data", "transaction"]),
        ("LedgerEntry", ["data", "entries", "0"]),
    ])
    func `describes every member that a webhook carries`(_ schema: String, _ path: [String]) async throws {
        let golden = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../ContractsTests/Golden/counterfoil.entitlement.changed.v1.json")
        let event = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: golden))
        // How often the purchase had moved, and the trace, are taken out by Notifications.
        let members = try #require(event[path]).names.subtracting(["transfers", "traceparent"])
        let nested = schema.split(separator: ".").flatMap { [String($0), "properties"] }
        let described = try await OpenAPIDocument().json[["components", "schemas"] + nested]?.names
        #expect(try !members.isEmpty && members.isSubset(of: #require(described)))
    }

    @Test(arguments: [
        "emptyReceipt", "askingApple", "waitsForBuyer", "unverified", "unknownToApple", "contradicted",
        "undecidedByApple",
        "untrusted", "expiredCertificate", "unreadable", "wrongDevice", "unknownApp", "wrongApp",
        "wrongEnvironment", "unknownVersion", "sandboxRefused", "unknownProduct", "retiredProduct",
        "typeMismatch",
        "alreadyOwned",
        "unsupportedQuantity", "refunded", "expired", "superseded", "malformed", "tooLarge", "unsigned",
        "badSignature",
        "refusedByApple", "neverPurchased",
    ])
    func `names every reason of a verdict`(_ reason: String) async throws {
        let reasons = try await OpenAPIDocument()["components", "schemas", "Reason", "description"]
        guard case .string(let text)? = reasons else { throw HarnessFault("no reasons") }
        #expect(text.contains(" \(reason)"))
    }

    @Test func `every path answers other methods with 405, says which it takes, and is described so`()
        async throws
    {
        let (gateway, document) = (TestGateway(), try await OpenAPIDocument())
        let unforeseen = try #require(HTTPRequest.Method("QUERY"))
        for route in gateway.context.routes {
            for method in [.delete, unforeseen] {
                let response = try await gateway.send(method, route.path)
                #expect(response.status == 405 && response.headers[.allow]?.isEmpty == false)
            }
            let method = route.method.rawValue.lowercased()
            #expect(document["paths", route.path, method, "responses", "405", "$ref"] != nil, "\(route.path)")
        }
    }

    @Test(arguments: ["/", "/v1", "/v2/orders", "/v1/orders/a/b/c", "/v1/buyers//ledger", "/v1/receipts/x/y"])
    func `a path that leads nowhere is 404 as a problem`(_ path: String) async throws {
        let response = try await TestGateway().get(path)
        #expect(response.status == 404)
        #expect(response.headers[.contentType] == "application/problem+json")
    }
}
