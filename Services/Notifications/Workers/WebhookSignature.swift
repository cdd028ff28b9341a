import Contracts
import Crypto
import Foundation

/// Proves to an app's server that a message comes from its own Counterfoil.
enum WebhookSignature {
    static let timestampHeader = "Counterfoil-Timestamp"
    static let signatureHeader = "Counterfoil-Signature"

    /// `v1=` and the HMAC-SHA256, in hexadecimal, over the Unix time in seconds, a full stop and the body.
    static func value(secret: String, timestamp: Int64, body: String) -> String {
        let key = SymmetricKey(data: Data(secret.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Data("\(timestamp).\(body)".utf8), using: key)
        return "v1=" + code.hexadecimal
    }
}
