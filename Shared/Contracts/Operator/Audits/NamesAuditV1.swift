/// Asks what one partition knows of the names of purchases, so that their rows can be compared with claims.
///
/// - Sent by: operator
/// - Received by: receipts
package struct NamesAuditV1: RequestContract, Hashable {
    package typealias Reply = NamesAuditPage

    package static let type: EventType = "counterfoil.names.audit.v1"

    /// Names of one request, and of one page.
    package static let maximumNames = 500

    /// Those that claims of the partition state after this one, in the order of their texts; nil from the first on.
    package var after: String?
    /// Only these, whatever the partition's claims state.
    package var names: [String]?

    package init(after: String? = nil) { self.after = after }

    /// Asks for each of these.
    package init(only names: [String]) { self.names = names }

    /// Whether it names more than one request may.
    package var isTooLong: Bool { (names?.count ?? 0) > Self.maximumNames }
}
