import AppStoreSigning
import Contracts
import Foundation
import Testing

@Suite struct `the simulated signer` {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "signing-\(UUID())").path
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        try await body(folder)
    }

    @Test func `keeps its root in its folder, readable by its owner only`() async throws {
        try await withFolder { folder in
            let first = try AppStoreSigner(stateFolder: folder)
            #expect(try AppStoreSigner(stateFolder: folder).certificates == first.certificates)
            let file = try FileManager.default.attributesOfItem(atPath: folder + "/signing-chain.json")
            #expect(file[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["signing-chain.json"])
        }
    }

    @Test func `asked for by many at once is one and the same`() async throws {
        try await withFolder { folder in
            let roots = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<8 { group.addTask { try AppStoreSigner(stateFolder: folder).rootDER } }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }
            #expect(roots.count == 1)
        }
    }

    @Test func `gives every purchase an id of its own, of digits`() {
        let purchase = SimulatedPurchase(bundleId: "com.example.game", productId: "coins100")
        let transactions = (0..<10_000).map { _ in purchase.transaction(at: .newYear2026) }
        #expect(Set(transactions.map(\.transactionId)).count == transactions.count)
        for transaction in transactions.prefix(100) {
            #expect(transaction.transactionId.count == 18)
            #expect(transaction.transactionId.utf8.allSatisfy { (48...57).contains($0) })
            #expect(transaction.originalTransactionId == transaction.transactionId)
        }
    }

    @Test func `signs a refund later than the purchase, whatever the clock says`() {
        let purchase = SimulatedPurchase(bundleId: "com.example.game", productId: "coins100")
        let transaction = purchase.transaction(at: .newYear2026)
        let refund = transaction.refunded(at: .newYear2026, reason: 1)
        #expect(refund.signedDate > transaction.signedDate)
        #expect(refund.revocationDate == Timestamp.newYear2026.milliseconds)
        #expect(refund.revocationReason == 1)
        #expect(refund.transactionId == transaction.transactionId)
    }
}
