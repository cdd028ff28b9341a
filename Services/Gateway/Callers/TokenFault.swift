/// Why a phone's token is not taken; its word is the problem's code.
enum TokenFault: String, Error, CaseIterable {
    case tokenTooLarge
    case tokenMalformed
    /// No app of this gateway has the token's `aud`, or it takes no tokens of phones.
    case tokenOfUnknownApp
    case tokenKeyUnknown
    case tokenAlgorithm
    case tokenSignature
    case tokenExpired
    case tokenTooLong
    case tokenNotYetValid
    case tokenBuyer

    var detail: String {
        switch self {
        case .tokenTooLarge: "The token is larger than \(PhoneToken.maximumBytes) bytes."
        case .tokenMalformed:
            "The token must be a JWS of three parts with `alg` and `kid`, and `aud`, `sub` and `exp`."
        case .tokenOfUnknownApp: "The token's `aud` must be the bundle id of an app with `phoneTokens`."
        case .tokenKeyUnknown: "No key of the app has the token's `kid`."
        case .tokenAlgorithm: "The token's `alg` is not that of its key."
        case .tokenSignature: "The token's signature is not that of its key."
        case .tokenExpired: "The token has expired; ask the app's server for a new one."
        case .tokenTooLong: "The token's `exp` is more than a day ahead."
        case .tokenNotYetValid: "The token is not valid yet."
        case .tokenBuyer: "The token's `sub` must be a buyer: 1 to 128 bytes of printable text."
        }
    }
}
