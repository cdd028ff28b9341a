import Contracts
import HTTPTypes
import Testing

@testable import Gateway

@Suite struct `The description of the interface` {
    @Test func `lists every route that there is, and no other`() async throws {
        let gateway = TestGateway()
        let answer = try await gateway.test { try await $0.get("/openapi.json", key: nil) }
        #expect(answer.status == 200)
        #expect(answer["openapi"] == .string("3.1.0"))
        guard case .object(let paths) = answer["paths"] else {
            Issue.record("no paths")
            return
        }
        let described = paths.flatMap { path, methods in
            if case .object(let methods) = methods {
                methods.keys.map { "\($0) \(path)" }
            } else {
                [String]()
            }
        }
        let routes = gateway.edge.routes.map { "\($0.method.rawValue.lowercased()) \($0.path)" }
        #expect(Set(described) == Set(routes))
        #expect(Set(routes).count == routes.count)
    }

    @Test func `refers only to what it holds`() throws {
        let text = OpenAPIDocument.text
        let references = text.matches(of: /"#\/components\/(\w+)\/(\w+)"/).map { "\($0.output.2)" }
        #expect(!references.isEmpty)
        for name in Set(references) { #expect(text.contains("\"\(name)\": {"), "\(name) is not there") }
    }

    @Test func `describes every member that answers carry`() async throws {
        let body = #"""
            {"bundleId":"com.example.game","buyerId":"b1","productId":"coins.100","reference":"r","metadata":{"a":1}}
            """#
        let receipt = #"{"bundleId":"com.example.game","buyerId":"b1","signedTransaction":"x"}"#
        let notifications = "/v1/apple/notifications"
        let hint = #"{"notification_type":"REFUND","bid":"com.example.game","original_transaction_id":"7"}"#
        let (described, answers) = try await TestGateway().test { client in
            let answers = [
                ("Order", try await client.issue(body)),
                ("Receipt", try await client.post("/v1/receipts", receipt)),
                ("Entitlements", try await client.get("/v1/buyers/b1/entitlements")),
                ("Ledger", try await client.get("/v1/buyers/b1/ledger")),
                ("Problem", try await client.issue("{}")),
                ("KeptNotification", try await client.post(notifications, #"{"signedPayload":"x"}"#)),
                ("HintedPurchases", try await client.post(notifications, hint)),
            ]
            return (try await client.get("/openapi.json"), answers)
        }
        for (schema, answer) in answers {
            guard case .object(let members) = answer.json,
                case .object(let properties) = described["components", "schemas", schema, "properties"]
            else {
                Issue.record("no members for \(schema)")
                continue
            }
            #expect(Set(members.keys).subtracting(properties.keys).isEmpty, "\(schema)")
        }
    }

    @Test(arguments: [
        "emptyReceipt", "askingApple", "unverified", "unknownToApple", "contradicted", "undecidedByApple",
        "untrusted", "expiredCertificate", "unreadable", "wrongDevice", "unknownApp", "wrongApp",
        "wrongEnvironment", "sandboxRefused", "unknownProduct", "retiredProduct", "unsupportedType",
        "unsupportedQuantity", "refunded", "malformed", "tooLarge", "unsigned", "badSignature",
        "refusedByApple", "neverPurchased",
    ])
    func `names every reason of a verdict`(_ reason: String) async throws {
        let answer = try await TestGateway().test { try await $0.get("/openapi.json", key: nil) }
        guard case .string(let text) = answer["components", "schemas", "Reason", "description"] else {
            Issue.record("no reasons")
            return
        }
        #expect(text.contains(" \(reason)"))
    }

    @Test func `every path answers other methods with 405 and says which it takes`() async throws {
        let gateway = TestGateway()
        let unforeseen = try #require(HTTPRequest.Method("QUERY"))
        let answers = try await gateway.test { client in
            var answers: [TestGateway.Answer] = []
            for route in gateway.edge.routes {
                answers.append(try await client.send(.delete, route.path))
                answers.append(try await client.send(unforeseen, route.path))
            }
            return answers
        }
        #expect(answers.allSatisfy { $0.status == 405 && $0.headers[.allow]?.isEmpty == false })
    }

    @Test func `every path says that it may answer 405`() async throws {
        let gateway = TestGateway()
        let answer = try await gateway.test { try await $0.get("/openapi.json", key: nil) }
        for route in gateway.edge.routes {
            let method = route.method.rawValue.lowercased()
            #expect(answer["paths", route.path, method, "responses", "405", "$ref"] != nil, "\(route.path)")
        }
    }

    @Test(arguments: ["/", "/v1", "/v2/orders", "/v1/orders/a/b/c", "/v1/buyers//ledger", "/v1/receipts/x/y"])
    func `a path that leads nowhere is 404 as a problem`(_ path: String) async throws {
        let answer = try await TestGateway().test { try await $0.get(path) }
        #expect(answer.status == 404)
        #expect(answer.headers[.contentType] == "application/problem+json")
    }
}
