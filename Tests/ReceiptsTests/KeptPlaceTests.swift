import Contracts
import TestKit
import Testing

@testable import Delivery
@testable import Receipts

/// Rule: of the places of a queue one is kept for a proof, so that an endless stream of genuine ones starves none.
@Suite struct `a proof that only Apple can confirm` {
    private let group: ReceiptsGroup
    private let place = ReceiptsGroup.partition(of: Sample.alice)

    init() throws {
        let apple: AskedApple
        (group, apple) = try ReceiptsGroup.asking()
        for number in 1...(2 * AppleWorker.concurrencyOfQueue) {
            try group.askHistory(of: "\(number)00", in: place)
        }
        group.pass(1, with: apple)
        for number in 1...2 {
            group.proofs.contents["proof \(number)"] = .failure(.untrusted)
            _ = try group.submit("proof \(number)", by: Sample.alice, kind: .appReceipt)
        }
    }

    private func keys(underWay: Set<String> = []) throws -> [String] {
        try group.due("serverAPI/", place, excluding: underWay).map(\.key)
            .filter { !$0.contains("serverNotifications") }
    }

    @Test func `has a place among others that are more urgent, and no second one`() throws {
        let first = try keys()
        #expect(first.count { $0.contains("/proof/") } == 1)
        #expect(first.last?.contains("/proof/") == true, "the others come first")
        let ended = try #require(first.first)
        let next = try keys(underWay: Set(first).subtracting([ended]))
        #expect(!next.isEmpty && next.allSatisfy { $0.contains("/history/") })
        let proof = try #require(first.last)
        #expect(try keys(underWay: Set(first).subtracting([proof])).contains { $0.contains("/proof/") })
    }
}
