/// Why signed data was not accepted; the first reason in this order is the answer.
package struct VerificationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The closed set of reasons.
    package enum Reason: String, CaseIterable, Sendable {
        /// More bytes than Apple's signed data ever has; nothing was decoded.
        case tooLarge
        /// No JWS of Apple's shape: not a payment, whoever sent it.
        case malformed
        /// Made by Xcode or StoreKitTest, whose signature proves nothing to a server.
        case unsigned
        /// The certificates do not lead to a root that is trusted here, or lack Apple's marks.
        case untrusted
        /// The certificates are Apple's, but not valid at the time of the signature.
        case expiredCertificate
        /// The leaf's key did not sign these bytes.
        case badSignature
        /// Apple's signature holds, but this program cannot read what was signed: to be recorded, never dropped.
        case unreadable
        /// Genuine, and for another app.
        case wrongApp
        /// Genuine, and from an environment that was not expected.
        case wrongEnvironment
    }

    /// Which check failed first.
    package let reason: Reason
    /// One line for the operator; holds no proof, token or key.
    package let detail: String
    /// The signed item inside a notification that failed; nil when it is the whole.
    package let item: SignedItem?

    package init(_ reason: Reason, _ detail: String, item: SignedItem? = nil) {
        self.reason = reason
        self.detail = detail
        self.item = item
    }

    /// Of data that is not even decoded.
    static func tooLarge(_ bytes: Int, limit: Int) -> VerificationFailure {
        VerificationFailure(.tooLarge, "\(bytes) bytes, at most \(limit) are taken")
    }

    package var description: String { "\(reason.rawValue): \(detail)" }
}
