import Crypto

/// How a server notification is told from others that bears no UUID which can be read.
package enum NotificationIdentifier {
    /// The digest of its text: the same at the door and in Apple's history, so that both lead to one row.
    package static func digest(of signedPayload: String) -> String {
        SHA256.hash(data: Array(signedPayload.utf8)).map { String($0, radix: 16) }.joined(separator: "-")
    }
}
