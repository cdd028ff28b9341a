/// Asks what one partition knows of some orders, purchases, receipts, buyers or Apple Accounts.
///
/// - Sent by: operator, gateway
/// - Received by: orders, receipts, entitlements, notifications
package struct FactsFindV1: RequestContract, Hashable {
    package typealias Reply = FoundFacts

    package static let type: EventType = "counterfoil.facts.find.v1"

    /// Identifiers of one request.
    package static let maximumTexts = 200
    package static let maximumAccounts = 200

    /// Ids of orders, receipts, purchases and transactions, references, buyers, or Apple's order ids.
    package var texts: [String]
    /// The apps among whose buyers is searched; a receipt that names no purchase is found by its buyer alone.
    package var bundleIds: [BundleID]
    /// Apple's ids of the app on accounts: who has bought with them is asked for.
    package var accounts: [String] = []

    /// Whether it names more than one request may.
    package var isTooLong: Bool { texts.count > Self.maximumTexts || accounts.count > Self.maximumAccounts }
}

extension RequestRefusal {
    /// A search that names too much.
    package static let tooManyTexts = RequestRefusal(
        .invalid,
        "A search names at most \(FactsFindV1.maximumTexts) identifiers.",
        field: "texts"
    )
}
