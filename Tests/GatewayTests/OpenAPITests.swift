import Contracts
import Foundation
import HTTPTypes
import Testing

@testable import Gateway

@Suite struct `The description of the interface` {
    @Test func `lists every route that there is, and no other`() async throws {
        let document = try await OpenAPIDocument()
        #expect(document["openapi"] == .string("3.1.0"))
        let described = document.names("paths").flatMap { path in
            document.names("paths", path).map { "\($0) \(path)" }
        }
        let routes = TestGateway().context.routes.map { "\($0.method.rawValue.lowercased()) \($0.path)" }
        #expect(Set(described) == Set(routes))
        #expect(Set(routes).count == routes.count)
    }

    @Test func `refers only to what it holds`() async throws {
        let document = try await OpenAPIDocument()
        let text = String(decoding: PackageResources.openapi_yaml, as: UTF8.self)
        let references = text.matches(of: /"#\/components\/(\w+)\/(\w+)"/).map {
            (String($0.output.1), String($0.output.2))
        }
        #expect(!references.isEmpty)
        for (kind, name) in references { #expect(document["components", kind, name] != nil, "\(name)") }
    }

    @Test func `describes every member that responses carry`() async throws {
        let body = #"""
            {"bundleId":"com.example.game","buyerId":"b1","productId":"coins.100","reference":"r","metadata":{"a":1}}
            """#
        let notifications = "/v1/apple/notifications"
        let hint = #"""
            {"notification_type":"REFUND","bid":"com.example.game","original_transaction_id":"7",
             "password":"\#(TestGateway.sharedSecret)"}
            """#
        let document = try await OpenAPIDocument()
        let responses = try await TestGateway().test { client in
            [
                ("Order", try await client.issue(body)),
                ("Receipt", try await client.post("/v1/receipts", TestGateway.receipt)),
                ("Entitlements", try await client.get("/v1/buyers/b1/entitlements")),
                ("Ledger", try await client.get("/v1/buyers/b1/ledger")),
                ("Problem", try await client.issue("{}")),
                ("RecordedNotification", try await client.post(notifications, #"{"signedPayload":"x"}"#)),
                ("HintedPurchases", try await client.post(notifications, hint)),
            ]
        }
        for (schema, response) in responses {
            guard case .object(let members) = response.json else {
                Issue.record("no members for \(schema)")
                continue
            }
            let properties = document.names("components", "schemas", schema, "properties")
            #expect(Set(members.keys).subtracting(properties).isEmpty, "\(schema)")
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
        guard case .object(let members)? = event[path] else {
            Issue.record("no members for \(schema)")
            return
        }
        let document = try await OpenAPIDocument()
        let nested = schema.split(separator: ".").map(String.init)
        let place = [nested[0]] + nested.dropFirst().flatMap { ["properties", $0] }
        let properties = document.json[["components", "schemas"] + place + ["properties"]]
        guard case .object(let described)? = properties else {
            Issue.record("no description of \(schema)")
            return
        }
        #expect(Set(members.keys).subtracting(described.keys).isEmpty)
    }

    @Test(arguments: [
        "emptyReceipt", "askingApple", "unverified", "unknownToApple", "contradicted", "undecidedByApple",
        "untrusted", "expiredCertificate", "unreadable", "wrongDevice", "unknownApp", "wrongApp",
        "wrongEnvironment", "sandboxRefused", "unknownProduct", "retiredProduct", "unsupportedType",
        "unsupportedQuantity", "refunded", "malformed", "tooLarge", "unsigned", "badSignature",
        "refusedByApple", "neverPurchased",
    ])
    func `names every reason of a verdict`(_ reason: String) async throws {
        let document = try await OpenAPIDocument()
        guard case .string(let text)? = document["components", "schemas", "Reason", "description"] else {
            Issue.record("no reasons")
            return
        }
        #expect(text.contains(" \(reason)"))
    }

    @Test func `every path answers other methods with 405 and says which it takes`() async throws {
        let gateway = TestGateway()
        let unforeseen = try #require(HTTPRequest.Method("QUERY"))
        let responses = try await gateway.test { client in
            var responses: [TestGateway.Response] = []
            for route in gateway.context.routes {
                responses.append(try await client.send(.delete, route.path))
                responses.append(try await client.send(unforeseen, route.path))
            }
            return responses
        }
        #expect(responses.allSatisfy { $0.status == 405 && $0.headers[.allow]?.isEmpty == false })
    }

    @Test func `every path says that it may answer 405`() async throws {
        let document = try await OpenAPIDocument()
        for route in TestGateway().context.routes {
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
