/// Why an unpaid order was closed.
package enum OrderCloseReason: String, Codable, Sendable, CaseIterable {
    case cancelled, failed, expired, superseded
}
