/// Why an order was given up unpaid.
package enum OrderCloseReason: String, Codable, Sendable, CaseIterable {
    case cancelled, failed, expired, superseded
}
