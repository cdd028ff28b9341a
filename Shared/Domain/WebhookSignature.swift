package import Contracts
import Crypto
import FoundationEssentials

/// By what an app's own server knows that a webhook is genuine: headers of our own, and those of Standard Webhooks.
///
/// The key of both is the UTF-8 of the webhook's secret. Source: Standard Webhooks 1.0, "Webhook Headers".
package enum WebhookSignature {
    /// The headers of a message, signed at `timestamp`, in seconds since 1970.
    package static func headers(
        of id: EventID,
        timestamp: Int64,
        body: String,
        secret: String
    ) -> [(name: String, value: String)] {
        let own = code(of: "\(timestamp).\(body)", secret: secret)
        let standard = code(of: "\(id).\(timestamp).\(body)", secret: secret)
        return [
            (name: "Counterfoil-Timestamp", value: String(timestamp)),
            (name: "Counterfoil-Signature", value: "v1=" + own.hexadecimal),
            (name: "webhook-id", value: id.rawValue),
            (name: "webhook-timestamp", value: String(timestamp)),
            (name: "webhook-signature", value: "v1," + standard.base64EncodedString()),
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
