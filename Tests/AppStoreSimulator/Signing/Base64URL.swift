package import Foundation

extension Data {
    /// base64url without padding (RFC 7515 §2).
    package var base64URL: String {
        base64EncodedString(options: [.base64URLAlphabet, .omitPaddingCharacter])
    }
}
