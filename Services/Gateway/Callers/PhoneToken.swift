import Contracts
import Domain

/// A phone's token as it came, not verified yet: a compact JWS with the claims of RFC 7519.
struct PhoneToken: Sendable {
    /// The longest token that is read; those of usual issuers have less than 1,000.
    static let maximumBytes = 4_096

    /// The names that the header gives to algorithm and key.
    let algorithm: String
    let keyID: String
    let claims: PhoneClaims
    /// What is signed: header and payload as they came.
    let signed: [UInt8]
    let signature: [UInt8]

    /// Whether a bearer's credentials look like a token rather than a key.
    static func isOne(_ credentials: Substring) -> Bool {
        credentials.utf8.reduce(0) { $1 == UInt8(ascii: ".") ? $0 + 1 : $0 } == 2
    }

    init(_ text: Substring) throws(TokenFault) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tokenTooLarge }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64.url.decode(parts[0]),
            let payload = Base64.url.decode(parts[1]), let signature = Base64.url.decode(parts[2])
        else { throw .tokenMalformed }
        let head = try Self.members(header)
        // RFC 7515, section 4.1.11: whoever does not know what is critical must refuse.
        guard case .string(let algorithm)? = head["alg"], head["crit"] == nil else { throw .tokenMalformed }
        guard case .string(let keyID)? = head["kid"] else { throw .tokenMalformed }
        self.algorithm = algorithm
        self.keyID = keyID
        claims = try PhoneClaims(Self.members(payload))
        signed = Array(bytes[..<parts[1].endIndex])
        self.signature = signature
    }

    private static let decoder = EventDecoder()

    private static func members(_ json: [UInt8]) throws(TokenFault) -> [String: JSONValue] {
        do {
            guard case .object(let members) = try decoder.decode(JSONValue.self, from: json) else {
                throw TokenFault.tokenMalformed
            }
            return members
        } catch {
            throw .tokenMalformed
        }
    }
}
