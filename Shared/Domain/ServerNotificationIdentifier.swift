import Crypto

/// The identifier of a server notification without a readable UUID.
package enum ServerNotificationIdentifier {
    /// The digest of its text: the same on arrival and in Apple's history, so that both lead to one row.
    package static func digest(of signedPayload: String) -> String {
        SHA256.hash(data: Array(signedPayload.utf8)).map { String($0, radix: 16) }.joined(separator: "-")
    }
}
