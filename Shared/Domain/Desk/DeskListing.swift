package import Contracts

/// A row of a list in people's words.
package struct DeskListing: Encodable, Equatable, Sendable {
    package let kind: DeskPage.Kind
    /// What it is, in words.
    package let what: String
    package let since: Timestamp
    /// How long it has waited, ms.
    package let ageMs: Int64
    /// The same in its largest unit: `3 d`, `2 h`, `5 min`, `10 s`.
    package let age: String
    package let appId: BundleID
    package let environment: Environment?
    package let orderId: OrderID?
    package let purchaseId: PurchaseID?
    package let receiptId: ReceiptID?
    package let buyerId: BuyerID?
    package let productId: ProductID?
    /// What was paid, such as `0.99 USD`.
    package let sum: String?
    /// The word of the store.
    package let reason: String?
    /// Why it waits, in words.
    package let why: String?
    /// What another operator confirms.
    package let proposalId: ProposalID?
    package let attempts: Int?
    package let behind: Int?
    package let next: Timestamp?
    /// Who has probably bought it, with what speaks for them.
    package let holders: [String]
    /// What would help.
    package let help: String

    package init(_ row: DeskPage.Row, in language: DeskLanguage, now: Timestamp) {
        kind = row.kind
        what = DeskTexts.pick(DeskRowTexts.what(row.kind), language)
        since = row.place.since
        ageMs = max(0, now.milliseconds - row.place.since.milliseconds)
        age = Self.age(ageMs, language)
        appId = row.bundleId
        environment = row.environment
        orderId = row.orderId
        purchaseId = row.purchaseId
        receiptId = row.receiptId
        buyerId = row.buyerId
        productId = row.productId
        sum = DeskValues.money(row.price, row.currency)
        reason = row.reason
        why = DeskRowTexts.why(row, language)
        proposalId = row.proposalId
        attempts = row.attempts
        behind = row.behind
        next = row.next
        holders = row.holders.map {
            DeskTexts.text($0.sign, language).filled(["buyer": $0.buyerId.rawValue])
        }
        let places = [
            "transaction": row.purchaseId?.rawValue, "receipt": row.receiptId?.rawValue,
            "reference": row.proposalId?.rawValue,
        ]
        help = DeskTexts.text(DeskAdvice(row.kind), language).filled(places.compactMapValues(\.self))
    }

    private static func age(_ milliseconds: Int64, _ language: DeskLanguage) -> String {
        let seconds = milliseconds / 1_000
        let (count, unit): (Int64, DeskPhrase) =
            switch seconds {
            case 172_800...: (seconds / 86_400, .days)
            case 7_200...: (seconds / 3_600, .hours)
            case 120...: (seconds / 60, .minutes)
            case _: (seconds, .seconds)
            }
        return DeskTexts.text(unit, language).filled(["count": String(count)])
    }
}
