import Contracts
import Crypto
import Foundation
import SwiftASN1
import X509

/// What a request for the status of a certificate asks (RFC 6960 §4.1.1).
struct OCSPQuestion {
    /// The certificate's DER identification, to be repeated as it is.
    let certificateID: [UInt8]
    let issuerKeyHash: [UInt8]
    let serialNumber: Certificate.SerialNumber
    /// The request's extensions, of which the nonce is one, in the tag of an answer's; empty where there are none.
    let extensions: [UInt8]

    init(_ request: [UInt8]) throws {
        let body = try Self.parts(try Self.first(.sequence, in: try Self.parts(DER.parse(request))))
        let questions = try Self.parts(try Self.first(.sequence, in: body))
        let certificate = try Self.first(
            .sequence,
            in: try Self.parts(try Self.first(.sequence, in: questions))
        )
        let fields = try Self.parts(certificate)
        guard fields.count == 4 else { throw Unreadable() }
        certificateID = Array(certificate.encodedBytes)
        issuerKeyHash = Array(try ASN1OctetString(derEncoded: fields[2]).bytes)
        serialNumber = Certificate.SerialNumber(bytes: try ArraySlice<UInt8>(derEncoded: fields[3]))
        let tag = ASN1Identifier(tagWithNumber: 2, tagClass: .contextSpecific)
        let tagged = try body.first { $0.identifier == tag }.map(Self.parts) ?? []
        extensions = tagged.isEmpty ? [] : BER.context(1, tagged.flatMap { Array($0.encodedBytes) })
    }

    private struct Unreadable: Error {}

    private static func parts(_ node: ASN1Node) throws -> [ASN1Node] {
        guard case .constructed(let nodes) = node.content else { throw Unreadable() }
        return Array(nodes)
    }

    private static func first(_ identifier: ASN1Identifier, in nodes: [ASN1Node]) throws -> ASN1Node {
        guard let node = nodes.first(where: { $0.identifier == identifier }) else { throw Unreadable() }
        return node
    }
}

/// What is said about one certificate (RFC 6960 §4.2.1).
struct OCSPSingleAnswer {
    let status: OCSPStatus
    let now: Timestamp
    let flaw: OCSPFlaw?

    var producedAt: [UInt8] { Self.time(thisUpdate) }

    func der(for question: OCSPQuestion) -> [UInt8] {
        BER.sequence(
            flaw == .otherCertificate ? Self.otherSerial(question.certificateID) : question.certificateID,
            statusDER,
            Self.time(thisUpdate),
            flaw == .withoutNextUpdate ? [] : BER.context(0, Self.time(thisUpdate.advanced(by: Self.week)))
        )
    }

    private static let day: Int64 = 86_400_000
    /// An answer holds as long.
    private static let week = 7 * day

    private var thisUpdate: Timestamp {
        switch flaw {
        case .stale: now.advanced(by: -10 * Self.day)
        case .postdated: now.advanced(by: Self.day)
        default: now
        }
    }

    /// A revocation is given the reason keyCompromise.
    private var statusDER: [UInt8] {
        switch status {
        case .good: BER.value(0x80, [])
        case .unknown: BER.value(0x82, [])
        case .revoked:
            BER.context(1, Self.time(now.advanced(by: -Self.day)) + BER.context(0, BER.value(0x0A, [1])))
        }
    }

    /// The serial number stands last.
    private static func otherSerial(_ certificateID: [UInt8]) -> [UInt8] {
        certificateID.dropLast() + certificateID.suffix(1).map { $0 ^ 1 }
    }

    /// GeneralizedTime, which has no fractions in DER here.
    private static func time(_ moment: Timestamp) -> [UInt8] {
        BER.value(0x18, moment.rfc3339.utf8.prefix(19).filter { (0x30...0x39).contains($0) } + [0x5A])
    }
}

/// The signature under a responder's answer.
enum OCSPSignature {
    /// Who signs: an authority, or a leaf that shows its certificate.
    enum Signer: Sendable {
        case authority(P384.Signing.PrivateKey, keyHash: [UInt8])
        case leaf(P256.Signing.PrivateKey, name: DistinguishedName, der: [UInt8])

        /// Who signs, in its tag: the hash of an authority's key, as Apple's responders have it, or a leaf's name.
        var responderID: [UInt8] {
            get throws {
                switch self {
                case .authority(_, let keyHash): return BER.context(2, BER.octetString(keyHash))
                case .leaf(_, let name, _):
                    var serializer = DER.Serializer()
                    try serializer.serialize(name)
                    return BER.context(1, serializer.serializedBytes)
                }
            }
        }
    }

    /// The BasicOCSPResponse around `data`.
    static func sign(_ data: [UInt8], by signer: Signer) throws -> [UInt8] {
        let (algorithm, signature, certificates): ([UInt8], Data, [UInt8]) =
            switch signer {
            case .authority(let key, _):
                (ecdsaWithSHA384, try key.signature(for: data).derRepresentation, [])
            case .leaf(let key, _, let certificate):
                (
                    ecdsaWithSHA256, try key.signature(for: data).derRepresentation,
                    BER.context(0, BER.sequence(certificate))
                )
            }
        let signed = BER.sequence(BER.identifier(algorithm)) + bits(Array(signature))
        return BER.sequence(data, signed, certificates)
    }

    private static func bits(_ octets: [UInt8]) -> [UInt8] { BER.value(0x03, [0] + octets) }

    /// 1.2.840.10045.4.3.2.
    private static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
    /// 1.2.840.10045.4.3.3.
    private static let ecdsaWithSHA384: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]
}
