/// Asks for a page of what waits in a partition, the longest first.
///
/// - Sent by: operator, gateway
/// - Received by: orders, receipts, entitlements, notifications
package struct DeskListV1: RequestContract, Hashable {
    package typealias Reply = DeskPage

    package static let type: EventType = "counterfoil.desk.list.v1"

    /// Rows of a page.
    package static let limits = 1...200

    package var list: DeskList
    /// Those that have waited since before this moment.
    package var before: Timestamp?
    /// Those behind this one.
    package var after: DeskPage.Place?
    package var limit: Int
}

extension RequestRefusal {
    /// A page of more rows than a page has.
    package static let pageTooLong = RequestRefusal(
        .invalid,
        "A page has at most \(DeskListV1.limits.upperBound) rows.",
        field: "limit"
    )
}
