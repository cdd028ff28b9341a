package import Contracts
import Crypto
import Foundation
import SwiftASN1
import X509

/// Answers for the certificates of a chain as an authority does (RFC 6960), each answer signed by the issuer's key.
package struct OCSPResponder: Sendable {
    private let authorities: [Authority]
    /// For the flaw of a leaf that vouches for itself.
    private let leaf: OCSPSigner

    /// Nil for a chain that nobody was to answer for.
    init?(_ chain: SigningChain) throws {
        guard let keys = chain.authority else { return nil }
        let intermediate = try Certificate(derEncoded: Array(chain.intermediate))
        let leaves = try ([chain.leaf, chain.expiredLeaf] + [chain.receiptLeaf].compactMap(\.self))
            .map { try Certificate(derEncoded: Array($0)).serialNumber }
        authorities = [
            Authority(
                key: try P384.Signing.PrivateKey(rawRepresentation: keys.intermediateKey),
                certificate: intermediate,
                issued: leaves,
                subject: .leaf
            ),
            Authority(
                key: try P384.Signing.PrivateKey(rawRepresentation: keys.rootKey),
                certificate: try Certificate(derEncoded: Array(chain.root)),
                issued: [intermediate.serialNumber],
                subject: .intermediate
            ),
        ]
        let leafKey = try P256.Signing.PrivateKey(rawRepresentation: chain.key)
        leaf = try OCSPSigner(leaf: leafKey, certificate: Array(chain.leaf))
    }

    /// The big-endian bytes of the serial number that a certificate has.
    package func serialNumber(of subject: OCSPSubject) -> [UInt8]? {
        authorities.first { $0.subject == subject }?.issued.first.map { Array($0.bytes) }
    }

    /// The answer to `request`, both of them DER, faultless unless a flaw is asked for.
    package func answer(
        to request: [UInt8],
        now: Timestamp,
        flaw: OCSPFlaw? = nil,
        status: (OCSPSubject) -> OCSPStatus
    ) throws -> [UInt8] {
        let question: OCSPQuestion
        do { question = try OCSPQuestion(request) } catch { return Self.refusal(.malformedRequest) }
        guard let authority = authorities.first(where: { $0.has(keyHash: question.issuerKeyHash) }) else {
            return Self.refusal(.unauthorized)
        }
        let isKnown = authority.issued.contains(question.serialNumber)
        let status = isKnown ? status(authority.subject) : .unknown
        let single = OCSPSingleAnswer(status: status, now: now, flaw: flaw)
        let key = flaw == .forged ? P384.Signing.PrivateKey() : authority.key
        let signer = flaw == .selfVouched ? leaf : OCSPSigner(authority: key, keyHash: authority.keyHash)
        let data = BER.sequence(
            signer.responderID,
            single.producedAt,
            BER.sequence(single.der(for: question)),
            // The nonce stands last.
            flaw == .otherNonce ? question.extensions.spoiled : question.extensions
        )
        let type = BER.identifier(Self.basicResponseType)
        let response = BER.sequence(type, BER.octetString(try signer.sign(data)))
        return BER.sequence(BER.value(0x0A, [0]), BER.context(0, response))
    }

    /// Why a responder answers nothing (RFC 6960 §4.2.1); its number is the answer.
    package enum Refusal: UInt8, CaseIterable, Sendable {
        case malformedRequest = 1
        case internalError = 2
        case tryLater = 3
        case sigRequired = 5
        case unauthorized = 6
    }

    /// An answer that is none; nobody signs it.
    package static func refusal(_ refusal: Refusal) -> [UInt8] {
        BER.sequence(BER.value(0x0A, [refusal.rawValue]))
    }

    /// 1.3.6.1.5.5.7.48.1.1.
    private static let basicResponseType: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x01]

    /// A certificate that issues others, with its key.
    private struct Authority: Sendable {
        let key: P384.Signing.PrivateKey
        let certificate: Certificate
        let issued: [Certificate.SerialNumber]
        let subject: OCSPSubject

        var keyHash: [UInt8] { Array(Insecure.SHA1.hash(data: publicKey)) }

        /// Whether a question is about what this key has signed; Apple's libraries hash by one way or the other.
        func has(keyHash: [UInt8]) -> Bool {
            keyHash == self.keyHash || keyHash == Array(SHA256.hash(data: publicKey))
        }

        private var publicKey: ArraySlice<UInt8> { certificate.publicKey.subjectPublicKeyInfoBytes }
    }
}

/// A certificate of a chain about which a responder is asked.
package enum OCSPSubject: String, Codable, CaseIterable, Sendable { case leaf, intermediate }

/// What a responder says about a certificate.
package enum OCSPStatus: String, Codable, CaseIterable, Sendable { case good, revoked, unknown }

/// One deliberate fault in a responder's answer.
package enum OCSPFlaw: String, CaseIterable, Sendable {
    /// Signed in the issuer's name by a stranger's key.
    case forged
    /// Signed by the leaf, which may sign no such answers.
    case selfVouched
    /// Made ten days ago, to be renewed three days ago.
    case stale
    case postdated
    case withoutNextUpdate, otherNonce
    case otherCertificate
}
