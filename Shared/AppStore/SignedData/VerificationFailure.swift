/// Why signed data was not accepted; the first failing reason in this order.
package struct VerificationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reasons, in order.
    package enum Reason: String, CaseIterable, Sendable {
        /// More bytes than Apple's signed data ever has; nothing was decoded.
        case tooLarge
        /// Not a JWS as Apple writes it: not a payment, whoever sent it.
        case malformed
        /// Made by Xcode or StoreKitTest, whose signature proves nothing to a server.
        case unsigned
        /// The certificates do not lead to a trusted root, or lack Apple's marks.
        case untrusted
        /// Apple's certificates, not valid at the time of the signature.
        case expiredCertificate
        case badSignature
        /// Apple's signature holds, but this program cannot read the payload: record it, never drop it.
        case unreadable
        /// Genuine, but for another app.
        case wrongApp
        /// Genuine, but from an unexpected environment.
        case wrongEnvironment
    }

    package let reason: Reason
    /// One line for the operator; holds no proof, token or key.
    package let detail: String
    /// The notification's signed item that failed; nil for the whole.
    package let item: SignedItem?

    package init(_ reason: Reason, _ detail: String, item: SignedItem? = nil) {
        self.reason = reason
        self.detail = detail
        self.item = item
    }

    static func tooLarge(_ bytes: Int, limit: Int) -> VerificationFailure {
        VerificationFailure(.tooLarge, "\(bytes) bytes, at most \(limit) are taken")
    }

    package var description: String { "\(reason.rawValue): \(detail)" }
}
