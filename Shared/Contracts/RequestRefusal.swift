/// Why a request is refused.
///
/// What its handler has written and sent is committed all the same, such as the count of a notification's deliveries.
package struct RequestRefusal: Error, Codable, Equatable, Sendable {
    /// The kinds of refusal, each with one meaning at the edge.
    package enum Code: String, Codable, Sendable, CaseIterable {
        /// It does not exist, or belongs to another app. HTTP 404.
        case notFound
        case conflict
        case invalid
        /// The owner is overloaded; nothing was accepted, try again. HTTP 503.
        case busy
        /// The partition does not own the key: requester and owner disagree on the number of partitions. HTTP 503.
        case misdirected
        /// Unknown request type. HTTP 501.
        case unknown
        /// An event that went to the dead letters; on standard streams only.
        case deadLettered
        /// An event that will be tried again; on standard streams only.
        case delayed
    }

    package var code: Code
    package var detail: String
    package var field: String?
    /// A stable word for this refusal, such as `keyReused`; programs branch on it.
    package var reason: String?
    /// The order because of which another one is refused.
    package var order: OrderV1?

    package init(
        _ code: Code,
        _ detail: String,
        field: String? = nil,
        reason: String? = nil,
        order: OrderV1? = nil
    ) {
        self.code = code
        self.detail = detail
        self.field = field
        self.reason = reason
        self.order = order
    }
}
