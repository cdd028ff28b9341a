import Contracts
import Delivery
import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// `counterfoil backup` and `counterfoil restore`, and copies that are neither.
    @Suite struct BackupTests {
        private static let buyers = ["anna", "berta", "carl", "dora"]
        private static let partitions = 2
        /// An app's own.
        private static let token = "5f2b6c1e-8d3a-4f6b-9a57-0c4de1f2a3b4"

        private static func buy(_ group: TestGroup) async throws -> [Purchase] {
            var bought: [Purchase] = []
            for buyer in buyers { bought.append(try await group.buy(buyer)) }
            return bought
        }

        /// Runs the group until what was bought is in a backup.
        private static func buy(in home: TestHome, backedUpTo backup: String) async throws -> [Purchase] {
            try await TestGroup.use(home: home) { group in
                let bought = try await buy(group)
                try await group.rest()
                try await home.counterfoil("backup", backup).succeeded()
                return bought
            }
        }

        private static func lose(_ service: String, of home: TestHome) throws {
            for path in Paths.matching("\(home.root)/data/\(service)/*.sqlite*")
            where !path.hasSuffix(".lock") {
                try FileManager.default.removeItem(atPath: path)
            }
        }

        /// Waits until every link has sent everything again, and none is quarantined.
        private static func redriven(_ home: TestHome) async throws {
            try await eventually("all links are redriven", within: .seconds(60)) {
                let links = try await home.counterfoil("links", "list", "--json").json([LinkStatus].self)
                return links.allSatisfy {
                    $0.quarantine == nil && ($0.redrive.map { $0.finishedAt != nil } ?? true)
                }
                    && links.contains { $0.redrive != nil }
            }
        }

        /// Checks in a new life of the group that everything is sent again, and that just this was bought.
        private static func isBack(_ bought: [Purchase], in home: TestHome) async throws {
            try await TestGroup.use(home: home) { group in
                try await redriven(home)
                try await group.rest()
                try await group.verify(bought)
                try await group.counterfoil("audit")
            }
        }

        @Test(.timeLimit(.minutes(3)), arguments: ["receipts", "orders", "entitlements", "notifications"])
        func
            `a service whose stores are lost comes back from a backup: no purchase is lost, none is there twice`(
                _ service: String
            ) async throws
        {
            try await TestHome.use(partitions: Self.partitions) { home in
                let backup = home.folder + "/backup"
                let (before, after, unpaid) = try await TestGroup.use(home: home) { group in
                    let before = try await Self.buy(group)
                    let made = try await home.counterfoil("backup", backup).succeeded()
                    #expect(made.output.contains("8 stores are in \(backup)"), "\(made.output)")
                    let after = try await Self.buy(group)
                    let unpaid = try await group.gateway.order("emil").id
                    try await group.rest()
                    return (before, after, unpaid)
                }
                try Self.lose(service, of: home)
                try await home.counterfoil("up").expect(exit: 2, "is missing, with all that it knew")
                let chosen = (0..<Self.partitions).flatMap { ["--partition", "\(service)/\($0)"] }
                let restored = try await home.counterfoil(["restore", backup] + chosen).succeeded()
                let gone = restored.output.contains("which ones cannot be known: there is no former store")
                #expect(gone == ["orders", "entitlements"].contains(service), "\(restored.output)")
                try await TestGroup.use(home: home) { group in
                    try await Self.redriven(home)
                    // A phone that was not told to finish hands its proof in again; so does one that was.
                    for purchase in before + after {
                        let verdict = try await group.gateway.finalVerdict(
                            purchase.buyer,
                            proof: purchase.proof
                        )
                        #expect(verdict.isGranted, "\(verdict)")
                    }
                    try await group.rest()
                    try await group.verify(before + after + [try await group.buy("anna")])
                    try await group.counterfoil("audit")
                    try await eventually("the unpaid order is known, or gone with Orders") {
                        let status = try await group.gateway.get("/v1/orders/\(unpaid)").status
                        return status == (service == "orders" ? 404 : 200)
                    }
                }
            }
        }

        @Test(.timeLimit(.minutes(3)))
        func `a home that has lost all its data comes back from a backup`() async throws {
            try await TestHome.use(partitions: 1) { home in
                let backup = home.folder + "/backup"
                let bought = try await Self.buy(in: home, backedUpTo: backup)
                try FileManager.default.removeItem(atPath: home.root + "/data")
                try await home.counterfoil("restore", backup).succeeded()
                try await Self.isBack(bought, in: home)
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func
            `what only the replaced store knew is listed: movements, consents, unpaid orders and tokens since then`()
            async throws
        {
            try await TestHome.use(partitions: 1) { home in
                let backup = home.folder + "/backup"
                let unpaid = try await TestGroup.use(home: home) { group in
                    let gateway = group.gateway
                    try await group.buy("anna")
                    _ = try await gateway.retry("spend") {
                        try await gateway.wallet("spend", "anna", 5, key: "known")
                    }
                    let known = try await gateway.order("anna").id
                    try await home.counterfoil("backup", backup).succeeded()
                    for (what, amount) in [("spend", 7 as Int64), ("credit", 9)] {
                        _ = try await gateway.retry(what) {
                            try await gateway.wallet(what, "anna", amount, key: what)
                        }
                    }
                    _ = try await gateway.retry("consent") {
                        try await gateway.consent("dora", consumption: true)
                    }
                    _ = try await gateway.retry("token") {
                        try await gateway.register(Self.token, for: "emil")
                    }
                    try await group.buy("berta")
                    return (known, lost: try await gateway.order("carl").id)
                }
                let restored = try await home.counterfoil("restore", backup).succeeded().output
                for line in [
                    "spends and credits that are gone since then: 2", "spend of 7 coins", "credit of 9 coins",
                    "consents that are gone since then: 1", "consent given, buyer dora",
                    "unpaid orders that are gone since then: 1", "order \(unpaid.lost) for coins.120",
                    "buyer carl",
                    "registered account tokens that are gone since then: 1",
                    "token \(Self.token), buyer emil",
                    "pending and parked proofs that come back when phones send them again: none",
                ] { #expect(restored.contains(line), "\(line): \(restored)") }
                for known in ["of 5 coins", unpaid.0, "berta"] { #expect(!restored.contains(known)) }
                // Once more: what lies there now does not go on from the backup.
                let again = try await home.counterfoil("restore", backup).succeeded().output
                #expect(again.contains("which ones cannot be known"), "\(again)")
                #expect(Paths.matching("\(home.root)/data/former/*/orders/0.sqlite").count == 2)
            }
        }

        /// Restores until the point at which the command is killed.
        private static func kill(
            _ command: [String],
            at point: CrashPoint,
            _ home: TestHome
        ) async throws -> TestHome.Answer {
            let setting = ["COUNTERFOIL_CRASH_AT": "restore.\(point.rawValue):1"]
            let killed = try await home.run(nil, command, environment: setting)
            #expect(killed.end == .signaled(SIGKILL), "\(point): \(killed)")
            return killed
        }

        @Test(.timeLimit(.minutes(4)))
        func
            `nothing starts on half of a whole restore, wherever it was killed, and once more brings all back`()
            async throws
        {
            try await TestHome.use(partitions: 1) { home in
                let backup = home.folder + "/backup"
                let bought = try await Self.buy(in: home, backedUpTo: backup)
                for point in CrashPoint.ofRestore {
                    try FileManager.default.removeItem(atPath: home.root + "/data")
                    _ = try await Self.kill(["restore", backup, "--home", home.root], at: point, home)
                    try await home.counterfoil("up").expect(exit: 2, "was interrupted")
                    for service in Executables.services {
                        try await home.run(service, ["--home", home.root])
                            .expect(exit: 2, "was interrupted")
                    }
                    try await home.counterfoil("restore", backup).succeeded()
                    try await Self.isBack(bought, in: home)
                }
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `a restore that is killed can be done once more, wherever it was`() async throws {
            try await TestHome.use(partitions: 1) { home in
                let backup = home.folder + "/backup"
                let bought = try await TestGroup.use(home: home) { group in
                    let bought = try await Self.buy(group)
                    try await home.counterfoil("backup", backup).succeeded()
                    return bought + (try await Self.buy(group))
                }
                let command = ["restore", backup, "--partition", "entitlements/0", "--home", home.root]
                for point in CrashPoint.ofRestore {
                    let killed = try await Self.kill(command, at: point, home)
                    // All that is lost is told before the first store is replaced.
                    let isTold = killed.output.contains("/entitlements/0 goes back to")
                    #expect(isTold == (point != .restoreStaged), "\(point): \(killed)")
                    try await home.counterfoil("up").expect(exit: 2, "was interrupted")
                }
                try await home.counterfoil("restore", backup, "--partition", "orders/0")
                    .expect(exit: 2, "put back /entitlements/0, too")
                let restored = try await home.run(nil, command).succeeded().output
                #expect(restored.contains("spends and credits that are gone since then: none"), "\(restored)")
                #expect(Paths.matching("\(home.root)/data/former/*").count == 1)
                try await Self.isBack(bought, in: home)
            }
        }

        @Test(.timeLimit(.minutes(2)))
        func `a copy of a running store without its log is refused, and a backup helps`() async throws {
            try await TestHome.use(partitions: 1) { home in
                let (store, backup) = ("\(home.root)/data/entitlements/0.sqlite", home.folder + "/backup")
                let bought = try await TestGroup.use(home: home) { group in
                    let bought = try await Self.buy(group)
                    try await group.rest()
                    try FileManager.default.copyItem(atPath: store, toPath: home.folder + "/copy")
                    try await home.counterfoil("backup", backup).succeeded()
                    return bought
                }
                for path in Paths.matching("\(store)*") where !path.hasSuffix(".lock") {
                    try FileManager.default.removeItem(atPath: path)
                }
                try FileManager.default.copyItem(atPath: home.folder + "/copy", toPath: store)
                let up = try await home.counterfoil("up")
                #expect(up.end == .exited(2), "\(up)")
                #expect((up.output + up.errors).contains("its log is missing"), "\(up)")
                #expect(
                    try Data(contentsOf: URL(filePath: store))
                        == Data(contentsOf: URL(filePath: home.folder + "/copy"))
                )
                try await home.counterfoil("restore", backup, "--partition", "entitlements/0").succeeded()
                try await Self.isBack(bought, in: home)
            }
        }
    }
}
