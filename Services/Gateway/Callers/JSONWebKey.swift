import JWTKit

/// A public key as a JWKS file has it (RFC 7517, section 4); other members are none of its business.
struct JSONWebKey: Decodable {
    let kty: String
    let kid: String?
    let crv: String?
    let alg: String?
    /// `sig` or `enc`; nil: either.
    let use: String?
    let x: String?
    let y: String?
}
