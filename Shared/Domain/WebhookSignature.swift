package import Contracts
import Crypto
import FoundationEssentials

/// By what an app's own server knows that a webhook is genuine: headers of our own, and those of Standard Webhooks.
///
/// The key of both is the UTF-8 of the webhook's secret. Source: Standard Webhooks 1.0, "Webhook Headers", of which
/// several signatures are "Signature scheme".
package enum WebhookSignature {
    /// The headers of a message, signed at `timestamp`, in seconds since 1970; with several secrets by each of them, in
    /// one header with spaces between.
    package static func headers(
        of id: EventID,
        timestamp: Int64,
        body: String,
        secrets: [String]
    ) -> [(name: String, value: String)] {
        let own = secrets.map { "v1=" + code(of: "\(timestamp).\(body)", secret: $0).hexadecimal }
        let standard = secrets.map {
            "v1," + code(of: "\(id).\(timestamp).\(body)", secret: $0).base64EncodedString()
        }
        return [
            (name: "Counterfoil-Timestamp", value: String(timestamp)),
            (name: "Counterfoil-Signature", value: own.joined(separator: " ")),
            (name: "webhook-id", value: id.rawValue),
            (name: "webhook-timestamp", value: String(timestamp)),
            (name: "webhook-signature", value: standard.joined(separator: " ")),
        ]
    }

    /// A secret as libraries of Standard Webhooks take it: `whsec_` and base64.
    package static func standardForm(of secret: String) -> String {
        "whsec_" + Data(secret.utf8).base64EncodedString()
    }

    private static func code(of text: String, secret: String) -> Data {
        let key = SymmetricKey(data: Data(secret.utf8))
        return Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }
}
