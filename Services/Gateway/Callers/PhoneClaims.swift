import Contracts
import Program

/// What a phone's token claims of its app, its buyer and its time.
struct PhoneClaims: Hashable, Sendable {
    let app: String
    let subject: String
    let expires: Timestamp
    let notBefore: Timestamp?

    init(_ members: [String: JSONValue]) throws(TokenFault) {
        // RFC 7519, section 4.1.3: `aud` is a text, or an array of texts.
        switch members["aud"] {
        case .string(let app)?: self.app = app
        case .array(let apps)?:
            guard apps.count == 1, case .string(let app) = apps[0] else { throw .tokenOfUnknownApp }
            self.app = app
        case .null?, .bool?, .integer?, .number?, .object?, nil: throw .tokenOfUnknownApp
        }
        guard case .string(let subject)? = members["sub"], let expires = Self.time(members["exp"]) else {
            throw .tokenMalformed
        }
        (self.subject, self.expires) = (subject, expires)
        notBefore = Self.time(members["nbf"])
        if members["nbf"] != nil, notBefore == nil { throw .tokenMalformed }
    }

    /// Whether a token may be used; both times are ms since 1970, and `slack` ms by which clocks may differ.
    func check(at now: Timestamp, slack: Int64) throws(TokenFault) {
        guard now < expires.advanced(by: slack) else { throw .tokenExpired }
        guard expires <= now.advanced(by: SignedPhoneToken.longestSeconds * 1_000 + slack) else {
            throw .tokenTooLong
        }
        guard notBefore.map({ $0 <= now.advanced(by: slack) }) != false else { throw .tokenNotYetValid }
    }

    /// Seconds since 1970, perhaps with a fraction; nil of anything else.
    private static func time(_ value: JSONValue?) -> Timestamp? {
        let latest = 1e12
        switch value {
        case .integer(let seconds)?:
            return Timestamp(milliseconds: min(max(seconds, -Int64(latest)), Int64(latest)) * 1_000)
        case .number(let seconds)?:
            return Timestamp(milliseconds: Int64(min(max(seconds, -latest), latest) * 1_000))
        case .null?, .bool?, .string?, .array?, .object?, nil: return nil
        }
    }
}
