import Contracts
import Foundation
import Glibc
import TestKit
import Testing

extension WholeGroup {
    /// Links after a store was restored, and the operator's two words for them.
    @Suite struct LinksTests {
        /// Brings the files of a partition's store in place of others, while no process has them: all but the lock.
        private static func copyStore(from: String, to: String) throws {
            let files = FileManager.default
            func parts(_ folder: String) throws -> [String] {
                try files.contentsOfDirectory(atPath: folder).filter {
                    $0.hasPrefix("0.sqlite") && !$0.hasSuffix(".lock")
                }
            }
            try files.createDirectory(atPath: to, withIntermediateDirectories: true)
            for file in try parts(to) { try files.removeItem(atPath: "\(to)/\(file)") }
            for file in try parts(from) {
                try files.copyItem(atPath: "\(from)/\(file)", toPath: "\(to)/\(file)")
            }
        }

        /// A group's life in which one more purchase is made and told to everybody.
        private static func purchase(in home: TestHome) async throws -> Purchase {
            try await TestGroup.use(home: home) { group in
                let purchase = try await group.buy("anna")
                try await group.rest()
                return purchase
            }
        }

        private static func quarantined(_ home: TestHome) async throws -> [LinkStatus] {
            try await home.counterfoil("links", "list", "--json").json([LinkStatus].self).filter {
                $0.quarantine != nil
            }
        }

        /// `counterfoil links <word> FROM TO`, which must succeed.
        private static func links(_ word: String, _ link: LinkStatus, _ home: TestHome) async throws {
            let answer = try await home.counterfoil("links", word, "\(link.from)", "\(link.to)").succeeded()
            #expect(answer.output.hasPrefix("\(link.from) → \(link.to) runs as incarnation "))
        }

        @Test(.timeLimit(.minutes(3)))
        func
            `an older copy of a store stops its links; resume lets purchases through again, redrive tells what is missing, once`()
            async throws
        {
            try await TestHome.use(partitions: 1) { home in
                let (store, copy) = ("\(home.root)/data/entitlements", home.folder + "/copy")
                let first = try await Self.purchase(in: home)
                try Self.copyStore(from: store, to: copy)
                let second = try await Self.purchase(in: home)
                try Self.copyStore(from: copy, to: store)
                try await TestGroup.use(home: home) { group in
                    let third = try await group.pay("anna")
                    let kept = try await group.gateway.retry("submission") {
                        try await group.gateway.submit("anna", proof: third.proof, wait: 0)
                    }
                    #expect(kept.status == 202, "\(kept.text)")
                    let toLedger = try await eventually("the link to the older ledger is stopped") {
                        try await Self.quarantined(home).first { $0.to == PartitionAddress(.entitlements, 0) }
                    }
                    let older = try await group.gateway.ledger(of: "anna")
                    #expect(older.map(\.transactionId) == [first.transactionId])

                    try await Self.links("resume", toLedger, home)
                    let resumed = try await group.gateway.ledger(of: "anna", until: 2)
                    #expect(resumed.map(\.transactionId) == [first.transactionId, third.transactionId])

                    try await Self.links("redrive", toLedger, home)
                    try await eventually("no link is stopped", within: .seconds(40)) {
                        let stopped = try await Self.quarantined(home)
                        for link in stopped { try await Self.links("redrive", link, home) }
                        return stopped.isEmpty
                    }
                    try await group.rest()
                    try await group.verify([first, second, third])
                    #expect(try await Self.quarantined(home).isEmpty)
                }
            }
        }

        @Test(.timeLimit(.minutes(4)))
        func
            `a link without an answer for 10 s is named by status, links, metrics and an alarm, until it has one`()
            async throws
        {
            try await TestHome.use(partitions: 1) { home in
                try await LooseGroup.use(home: home) { group, gateway in
                    let purchase = try await gateway.pay("anna", home: home)
                    let receiver = try #require(group.member("orders"))
                    receiver.send(SIGSTOP)
                    let kept = try await gateway.retry("submission") {
                        try await gateway.submit("anna", proof: purchase.proof, wait: 0)
                    }
                    #expect(kept.status == 202, "\(kept.text)")
                    let link = "/receipts/0 → /orders/0"
                    try await eventually("status names the link", within: .seconds(90)) {
                        try await home.counterfoil("status").output.contains("NO ANSWER on the link \(link)")
                    }
                    #expect(try await home.counterfoil("links", "list").output.contains("NO ANSWER for "))
                    let metrics = try await home.client(url: home.operationsURL).get("/metrics").text
                    let sender = #"{service="receipts",partition="0"}"#
                    #expect(metrics.contains("counterfoil_partition_unanswered_links\(sender) 1"))
                    try await eventually("the alarm is in the log") {
                        group.member("receipts").map { "\($0.output)\($0.errors)" }?
                            .contains("link \(link) has no answer") == true
                    }
                    receiver.send(SIGCONT)
                    try await eventually("the link is answered") {
                        try await !home.counterfoil("status").output.contains("NO ANSWER")
                    }
                    _ = try await gateway.ledger(of: "anna", until: 1)
                }
            }
        }
    }
}
