import AppStore
import AppStoreSigning
import Contracts
import Testing

@Suite struct `The payments in an app receipt` {
    private static let hour: Int64 = 3_600_000
    private static let bought = Timestamp.newYear2026.milliseconds - 24 * hour

    private static func row(_ id: String, of original: String? = nil, type: String) -> SignedTransaction {
        let date = bought + (original == nil ? 0 : 12 * hour)
        return .sample(id, of: original, "pro.lifetime", type, at: date, first: bought)
    }

    private static func payments(_ rows: [SignedTransaction]) throws -> [SignedTransaction] {
        let signer = try AppReceiptSigner()
        return try signer.verifier.verify(signer.sign(.sample(rows))).transactions
    }

    @Test func `are as old as their purchase, so that silence denies nothing that Apple signed since`() throws
    {
        let payments = try Self.payments([Self.row("1", type: "Consumable")])
        #expect(payments.map(\.signedDate) == [Self.bought])
    }

    @Test func `that were cancelled are as old as that`() throws {
        var cancelled = Self.row("1", type: "Consumable")
        cancelled.revocationDate = Self.bought + Self.hour
        let payments = try Self.payments([cancelled])
        #expect(payments.map(\.revocationDate) == [Self.bought + Self.hour])
        #expect(payments.map(\.signedDate) == [Self.bought + Self.hour])
    }

    @Test func `are no more for a non-consumable that was restored`() throws {
        let type = "Non-Consumable"
        let payments = try Self.payments([
            Self.row("2", of: "1", type: type), Self.row("3", of: "1", type: type),
        ])
        #expect(payments.map(\.transactionId) == ["1"])
        #expect(payments.map(\.purchaseDate) == [Self.bought])
    }

    @Test(arguments: [false, true])
    func `that were cancelled under any of their ids are cancelled, whichever row comes first`(
        _ isFirst: Bool
    ) throws {
        var cancelled = Self.row("1", type: "Non-Consumable")
        cancelled.revocationDate = Self.bought + Self.hour
        let restored = Self.row("2", of: "1", type: "Non-Consumable")
        let payments = try Self.payments(isFirst ? [cancelled, restored] : [restored, cancelled])
        #expect(payments.map(\.transactionId) == ["1"])
        #expect(payments.map(\.revocationDate) == [Self.bought + Self.hour])
    }

    @Test func `of a consumable are each one of its own`() throws {
        let payments = try Self.payments([
            Self.row("2", of: "1", type: "Consumable"), Self.row("1", type: "Consumable"),
        ])
        #expect(payments.map(\.transactionId) == ["1", "2"])
    }
}
