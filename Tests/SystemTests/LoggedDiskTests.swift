import Contracts
import TestKit
import Testing

extension WholeGroup {
    /// A group over a PostgreSQL that has no room for what it is to keep.
    @Suite struct LoggedDiskTests {
        private static func pids(_ group: TestGroup) async throws -> [Int32] {
            try await Executables.services.asyncMap { try await group.pid(of: $0) }
        }

        /// The answers to proofs that are handed in at once.
        private static func submit(_ paid: [Purchase], _ gateway: GatewayClient) async throws -> [HTTPReply] {
            try await withThrowingTaskGroup(of: HTTPReply.self) { tasks in
                for purchase in paid {
                    tasks.addTask {
                        try await gateway.submit(purchase.buyer, proof: purchase.proof, wait: 500)
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func
            `while PostgreSQL's disk is full nothing is accepted and nothing ends, and afterwards all goes on`()
            async throws
        {
            try await PostgreSQLServers.use { servers in
                try await TestGroup.use(store: servers.url) { group in
                    let gateway = group.gateway
                    let before = try await group.buy("anna")
                    let paid = try await ["berta", "carl", "dora"].asyncMap { try await group.pay($0) }
                    try await group.rest()
                    let pids = try await Self.pids(group)
                    try await servers.fillDisk()
                    async let order = gateway.issue("emil", reference: "r", key: "k")
                    let replies = try await Self.submit(paid, gateway)
                    #expect(replies.map(\.status) == paid.map { _ in 503 })
                    #expect(try await order.status == 503)
                    #expect(try await gateway.issue("fritz", reference: "r", key: "l").status == 503)
                    try await servers.makeRoom()
                    for purchase in paid {
                        let verdict = try await gateway.finalVerdict(purchase.buyer, proof: purchase.proof)
                        #expect(verdict.isGranted, "\(verdict)")
                    }
                    _ = try await gateway.retry("order") {
                        try await gateway.issue("emil", reference: "r", key: "k")
                    }
                    #expect(try await gateway.orders(of: "emil").orders.count == 1)
                    try await group.rest()
                    try await group.verify([before] + paid + [try await group.buy("anna")])
                    try await group.counterfoil("audit")
                    #expect(try await Self.pids(group) == pids)
                }
            }
        }
    }
}
