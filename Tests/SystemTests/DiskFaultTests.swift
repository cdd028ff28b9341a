import Contracts
import Database
import Foundation
import TestKit
import Testing

extension WholeGroup {
    /// What is told to whom while the disk does not do its work.
    @Suite(.enabled(if: Libfiu.isInstalled, Comment(rawValue: Libfiu.missing)))
    struct DiskFaultTests {
        private static let fdatasync = "posix/io/sync/*"
        private static let pwrite = "posix/io/rw/pwrite"
        /// Purchases that are paid when the disk begins to fail.
        private static let paid = 6
        /// The exit code of a program whose store failed.
        private static let storeFailure = ChildProcess.End.exited(74)

        @Test
        func `while fdatasync fails no positive answer leaves any service, and afterwards nothing is lost`()
            async throws
        {
            try await Self.use { group, gateway in
                let before = try await gateway.buy("anna", home: group.home)
                let paid = try await Self.pay(group, gateway)
                try await Libfiu.enable(Self.fdatasync, in: Executables.services, of: group)
                async let order = gateway.issue("carla", reference: "r", key: "k")
                let replies = try await Self.submitAll(paid, gateway)
                #expect(replies.map(\.status) == paid.map { _ in 503 })
                #expect(try await order.status == 503)
                #expect(group.ends(of: "receipts").contains(Self.storeFailure))
                #expect(group.ends(of: "orders").contains(Self.storeFailure))
                try await Libfiu.disable(Self.fdatasync, in: Executables.services, of: group)
                for purchase in paid {
                    _ = try await gateway.verdict(purchase.buyer, proof: purchase.proof, wait: 5_000)
                }
                try await gateway.verify([before] + paid)
            }
        }

        @Test(arguments: ["orders", "entitlements", "notifications"])
        func
            `while fdatasync fails in one service it settles nothing, and what others keep flows on afterwards`(
                _ service: String
            ) async throws
        {
            try await Self.use { group, gateway in
                let before = try await gateway.buy("anna", home: group.home)
                let paid = try await Self.pay(group, gateway)
                try await Self.settled(group)
                try await Libfiu.enable(Self.fdatasync, in: [service], of: group)
                let settled = try await Self.settled(by: service, group)
                let replies = try await Self.submitAll(paid, gateway)
                #expect(replies.allSatisfy { $0.status == 202 }, "kept by Receipts, and granted to nobody")
                try await eventually("\(service) fails, more than once") { group.ends(of: service).count > 1 }
                #expect(group.ends(of: service).allSatisfy { $0 == Self.storeFailure })
                for (link, last) in try await Self.settled(by: service, group) {
                    #expect(last == settled[link] ?? 0)
                }
                try await Libfiu.disable(Self.fdatasync, in: [service], of: group)
                try await gateway.verify([before] + paid)
                try await Self.settled(group)
            }
        }

        @Test
        func
            `while the disk is full nothing is accepted and nothing ends, and afterwards all goes on by itself`()
            async throws
        {
            try await Self.use { group, gateway in
                let paid = try await Self.pay(group, gateway)
                let pids = Executables.services.map { group.member($0)?.pid }
                let kept = try await gateway.submit("buyer-0", proof: paid[0].proof, wait: 0)
                #expect(kept.isPositive)
                let failure = ",failinfo=\(ENOSPC)"
                try await Libfiu.enable(Self.pwrite, failure: failure, in: Executables.services, of: group)
                let replies = try await Self.submitAll(Array(paid.dropFirst()), gateway)
                #expect(replies.allSatisfy { $0.status == 503 })
                let order = try await gateway.issue("carla", reference: "r", key: "k")
                #expect(order.status == 503)
                try await Libfiu.disable(Self.pwrite, in: Executables.services, of: group)
                try await gateway.verify([paid[0]])
                for purchase in paid.dropFirst() {
                    _ = try await gateway.verdict(purchase.buyer, proof: purchase.proof, wait: 5_000)
                }
                try await gateway.verify(paid)
                #expect(Executables.services.map { group.member($0)?.pid } == pids)
            }
        }

        /// A group that can be commanded; at its end every store must be whole.
        private static func use(_ body: (LooseGroup, GatewayClient) async throws -> Void) async throws {
            try await TestHome.use { home in
                let settings = Dictionary(
                    uniqueKeysWithValues: Executables.services.map { ($0, Libfiu.settings(home)) }
                )
                try await LooseGroup.use(home: home, settings: settings, body)
                try home.forEachStore { name, store in
                    let verdict = try store.write { try $0.value("PRAGMA integrity_check") as String? }
                    #expect(verdict == "ok", "\(name)")
                }
            }
        }

        private static func pay(_ group: LooseGroup, _ gateway: GatewayClient) async throws -> [Purchase] {
            try await (0..<paid).map { "buyer-\($0)" }.asyncMap {
                try await gateway.pay($0, home: group.home)
            }
        }

        private static func submitAll(
            _ paid: [Purchase],
            _ gateway: GatewayClient
        ) async throws -> [HTTPReply] {
            try await withThrowingTaskGroup(of: HTTPReply.self) { tasks in
                for purchase in paid {
                    tasks.addTask {
                        try await gateway.submit(purchase.buyer, proof: purchase.proof, wait: 500)
                    }
                }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
        }

        /// How far each link to a service is settled, as its senders know.
        private static func settled(by service: String, _ group: LooseGroup) async throws -> [String: Int64] {
            let links = try await links(group).filter { $0.to.service.rawValue == service }
            return Dictionary(uniqueKeysWithValues: links.map { ("\($0.from) \($0.to)", $0.settled) })
        }

        /// Waits until all that was sent is settled.
        private static func settled(_ group: LooseGroup) async throws {
            try await eventually("every link is settled") {
                try await links(group).allSatisfy { $0.settled == $0.next - 1 }
            }
        }

        /// The links of the partitions that answer.
        private static func links(_ group: LooseGroup) async throws -> [LinkStatus] {
            try await group.home.counterfoil("links", "list", "--json").json([LinkStatus].self)
        }
    }
}
