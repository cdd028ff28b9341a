/// The order that a phone names with its proof: kept as it came, never a reason to refuse.
package enum OrderHint {
    /// The longest that is kept; what is longer is nobody's order number.
    package static let maximumBytes = 256

    /// The hint as it is kept.
    package static func kept(_ text: String?) -> String? {
        text.flatMap { $0.utf8.count <= maximumBytes ? $0 : nil }
    }
}
