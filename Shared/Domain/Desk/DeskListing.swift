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
    package let quantity: Int?
    /// What was paid, such as `0.99 USD`.
    package let sum: String?
    /// The word of the store.
    package let reason: String?
    /// Why it waits, in words.
    package let why: String?
    /// What another operator confirms.
    package let proposalId: ProposalID?
    package let proposedBy: OperatorID?
    /// The name of whoever has proposed it.
    package let proposer: String?
    /// On what a compensation would stand.
    package let basis: CompensationBasis.Kind?
    package let appleOrderId: AppleOrderID?
    /// Those of Apple's order that Apple or an operator has named.
    package let transactionIds: [TransactionID]?
    /// From whom a move would take it; of a compensation, who else has its purchase.
    package let holderId: BuyerID?
    /// What is proposed, in words.
    package let offer: String?
    package let attempts: Int?
    package let behind: Int?
    package let next: Timestamp?
    /// Who has probably bought it, with what speaks for them.
    package let holders: [String]
    /// What would help.
    package let help: String

    /// `operators`: their names by their ids.
    package init(
        _ row: DeskPage.Row,
        in language: DeskLanguage,
        now: Timestamp,
        operators: [String: String] = [:]
    ) {
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
        quantity = row.quantity
        sum = DeskValues.money(row.price, row.currency)
        reason = row.reason
        why = DeskRowTexts.why(row, language)
        proposalId = row.proposalId
        (proposedBy, basis, appleOrderId) = (row.proposedBy, row.basis, row.appleOrderId)
        transactionIds = row.transactionIds
        holderId = row.holderId
        proposer = row.proposedBy.map { operators[$0.rawValue] ?? $0.rawValue }
        offer = Self.offer(row, by: proposer, language)
        attempts = row.attempts
        behind = row.behind
        next = row.next
        holders = row.holders.map {
            DeskTexts.text($0.sign, language).filled(["buyer": $0.buyerId.rawValue])
        }
        let places = [
            "transaction": row.purchaseId?.rawValue, "receipt": row.receiptId?.rawValue,
            "reference": row.proposalId?.rawValue, "buyer": row.buyerId?.rawValue,
            "other": row.holderId?.rawValue,
        ]
        help = DeskTexts.text(DeskAdvice(row), language).filled(places.compactMapValues(\.self))
    }

    /// Nil where nothing is proposed.
    private static func offer(
        _ row: DeskPage.Row,
        by proposer: String?,
        _ language: DeskLanguage
    ) -> String? {
        let phrase: DeskPhrase
        switch row.kind {
        case .proposedCompensation, .contestedCompensation: phrase = .offersCompensation
        case .proposedMove: phrase = .offersMove
        case .orphan, .parkedProof, .parkedNotification, .parkedGrant, .awaitsApple, .contested, .unpaid,
            .ungranted, .undelivered:
            return nil
        }
        let transactions = (row.transactionIds ?? []).map(\.rawValue).joined(separator: " ")
        let goodwill = DeskTexts.text(.goodwill, language).filled([:])
        let places: [String: String?] = [
            "quantity": row.quantity.map(String.init), "product": row.productId?.rawValue,
            "buyer": row.buyerId?.rawValue, "other": row.holderId?.rawValue,
            "purchase": row.purchaseId?.rawValue, "order": row.orderId?.rawValue,
            "appleOrder": row.appleOrderId?.rawValue, "goodwill": row.basis == .goodwill ? goodwill : nil,
            "transactions": transactions.isEmpty ? nil : transactions, "proposer": proposer,
        ]
        return DeskTexts.text(phrase, language).filled(places.compactMapValues(\.self))
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
