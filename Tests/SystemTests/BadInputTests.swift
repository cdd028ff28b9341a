import AppStoreSigning
import Database
import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// What a whole group does with what it cannot take.
    @Suite struct BadInputTests {
        /// A request that is refused, its status, and the value that the answer names.
        private struct Refused {
            let method: String
            let path: String
            let body: String
            let status: Int
            let field: String?

            init(_ method: String, _ path: String, _ body: String, _ status: Int, _ field: String?) {
                (self.method, self.path, self.body) = (method, path, body)
                (self.status, self.field) = (status, field)
            }
        }

        private static let app = #""bundleId":"com.example.game","buyerId":"anna""#
        private static let token = "7e3fb204-2d5f-4d4a-8d1e-4a4bfa4e9c11"
        private static let proof = #""signedTransaction":"e30.e30.AA""#

        private static func refused(_ purchase: Purchase) -> [Refused] {
            let paid = "/v1/orders/\(purchase.orderId)"
            let coins = #"{"entitlement":"coins","amount":1"#
            let apple = "/v1/apple/server-notifications"
            func post(_ path: String) -> (_ body: String, _ field: String) -> Refused {
                { Refused("POST", path, $0, 422, $1) }
            }
            let (order, spend) = (post("/v1/orders"), post("/v1/buyers/anna/spend"))
            let credit = post("/v1/buyers/anna/credit")
            return [
                order("{\(app)}", "productId"),
                order(#"{\#(app),"productId":"coins.120","quantity":0}"#, "quantity"),
                order(#"{\#(app),"productId":"coins.120","qantity":2}"#, "qantity"),
                order(#"{\#(app),\#(app),"productId":"coins.120"}"#, "bundleId"),
                Refused("POST", "/v1/orders", "{", 400, nil),
                Refused("POST", paid + "/close", #"{"reason":"bored"}"#, 422, "reason"),
                Refused("POST", paid + "/report", #"{"outcome":1}"#, 422, "outcome"),
                Refused("POST", "/v1/orders/x/report", #"{"outcome":"failed"}"#, 404, "orderId"),
                Refused("POST", "/v1/receipts", "{\(app)}", 422, "signedTransaction"),
                Refused("POST", "/v1/receipts?wait=x", "{\(app),\(proof)}", 422, "wait"),
                Refused("POST", "/v1/receipts", "{\(app),\(proof),\(proof)}", 422, "signedTransaction"),
                Refused("PUT", "/v1/buyers/anna", #"{"appAccountToken":"x"}"#, 422, "appAccountToken"),
                Refused("PUT", "/v1/buyers/%00", #"{"appAccountToken":"\#(token)"}"#, 422, "buyerId"),
                Refused("PUT", "/v1/buyers/anna/consent", #"{"consumption":7}"#, 422, "consumption"),
                Refused("PUT", "/v1/buyers/anna/consent", "{}", 422, "consumption"),
                spend(#"{"entitlement":"coins","amount":0}"#, "amount"),
                spend(#"\#(coins),"amount":2}"#, "amount"),
                spend(#"\#(coins),"environment":"prod"}"#, "environment"),
                spend(#"{"entitlement":"wood","amount":1}"#, "entitlement"),
                credit(#"\#(coins),"ammount":2}"#, "ammount"),
                credit(#"{"entitlement":"pro","amount":1}"#, "entitlement"),
                Refused("POST", "/v1/buyers/anna/spends/7/reverse", "", 404, "entryId"),
                Refused("POST", apple, #"{"signedPayload":7}"#, 422, "signedPayload"),
                Refused("POST", apple, "{}", 422, "signedPayload"),
            ]
        }

        /// The rows of each table of each store; the group must be down.
        private static func rows(_ home: TestHome) throws -> [String: Int64] {
            var rows: [String: Int64] = [:]
            try home.forEachStore { name, store in
                try store.write { connection in
                    for row in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
                        let table: String = try row["name"]
                        rows["\(name) \(table)"] = try connection.value("SELECT COUNT(*) FROM \(raw: table)")
                    }
                }
            }
            return rows
        }

        @Test(.timeLimit(.minutes(2)))
        func `is 4xx that names what is wrong at every door, and no store has a row more afterwards`()
            async throws
        {
            try await TestHome.use { home in
                let purchase = try await TestGroup.use(home: home) { group in
                    let purchase = try await group.buy("anna")
                    try await group.rest()
                    try await group.down()
                    return purchase
                }
                let before = try Self.rows(home)
                #expect(before.values.reduce(0, +) > 0)
                try await TestGroup.use(home: home) { group in
                    for refused in Self.refused(purchase) {
                        let reply =
                            refused.method == "PUT"
                            ? try await group.gateway.put(refused.path, json: refused.body)
                            : try await group.gateway.post(
                                refused.path,
                                json: refused.body,
                                key: UUID().uuidString
                            )
                        #expect(reply.status == refused.status, "\(refused): \(reply.text)")
                        #expect(try reply.problem.field == refused.field, "\(refused): \(reply.text)")
                    }
                    try await group.rest()
                    try await group.down()
                }
                #expect(try Self.rows(home) == before)
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `beyond an app's limit requests are 429, but proofs 503, and these are granted when sent again`()
            async throws
        {
            try await TestHome.use { home in
                try home.reconfigure(#""keys" : ["#, by: #""requestsPerSecond" : 2, "keys" : ["#)
                try await TestGroup.use(home: home) { group in
                    let gateway = group.gateway
                    let proof = try home.signer.sign(transaction: .bought())
                    try await eventually("a request and a proof are over the limit") {
                        async let other = gateway.get("/v1/buyers/anna/entitlements").status
                        async let again = gateway.get("/v1/buyers/anna/ledger").status
                        async let first = gateway.submit("anna", proof: proof, wait: 0).status
                        async let second = gateway.submit("anna", proof: proof, wait: 0).status
                        let (requests, proofs) = try await ([other, again], [first, second])
                        #expect(Set(requests).isSubset(of: [200, 429]), "\(requests)")
                        #expect(Set(proofs).isSubset(of: [200, 202, 503]), "\(proofs)")
                        return requests.contains(429) && proofs.contains(503)
                    }
                    #expect(try await gateway.finalVerdict("anna", proof: proof).isGranted)
                }
            }
        }
    }
}
