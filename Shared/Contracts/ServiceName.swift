/// The services that own partitions.
package enum ServiceName: String, Codable, Sendable, CaseIterable, Hashable {
    case orders, receipts, entitlements, notifications
}
