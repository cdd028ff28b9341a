/// The order that a phone names with its proof: stored unchanged, never a reason to refuse.
enum OrderHint {
    /// Longest stored hint, bytes; no order number is longer.
    static let maximumBytes = 256

    static func bounded(_ text: String?) -> String? {
        text.flatMap { $0.utf8.count <= maximumBytes ? $0 : nil }
    }
}
