/// The order that a phone names with its proof: stored as it came, never a reason to refuse.
package enum OrderHint {
    /// The longest that is stored; what is longer is nobody's order number.
    package static let maximumBytes = 256

    /// The hint as it is stored; nil if it is too long.
    package static func bounded(_ text: String?) -> String? {
        text.flatMap { $0.utf8.count <= maximumBytes ? $0 : nil }
    }
}
