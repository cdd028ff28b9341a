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
        let body = try Self.first(in: DER.parse(request))
        // The list of questions, the first of them, and the certificate that it is about.
        let certificate = try Self.first(in: Self.first(in: Self.first(in: body)))
        let fields = try Self.parts(certificate)
        guard fields.count == 4 else { throw Unreadable() }
        certificateID = Array(certificate.encodedBytes)
        issuerKeyHash = Array(try ASN1OctetString(derEncoded: fields[2]).bytes)
        serialNumber = Certificate.SerialNumber(bytes: try ArraySlice<UInt8>(derEncoded: fields[3]))
        let tag = ASN1Identifier(tagWithNumber: 2, tagClass: .contextSpecific)
        let tagged = try Self.parts(body).first { $0.identifier == tag }.map(Self.parts) ?? []
        extensions = tagged.isEmpty ? [] : BER.context(1, tagged.flatMap { Array($0.encodedBytes) })
    }

    private struct Unreadable: Error {}

    private static func parts(_ node: ASN1Node) throws -> [ASN1Node] {
        guard case .constructed(let nodes) = node.content else { throw Unreadable() }
        return Array(nodes)
    }

    private static func first(in node: ASN1Node) throws -> ASN1Node {
        guard let node = try parts(node).first(where: { $0.identifier == .sequence }) else {
            throw Unreadable()
        }
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
            // The serial number stands last.
            flaw == .otherCertificate ? question.certificateID.spoiled : question.certificateID,
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

    /// GeneralizedTime, which has no fractions in DER here.
    private static func time(_ moment: Timestamp) -> [UInt8] {
        BER.value(0x18, moment.rfc3339.utf8.prefix(19).filter { (0x30...0x39).contains($0) } + [0x5A])
    }
}

/// Who signs an answer, and how.
struct OCSPSigner: Sendable {
    /// In its tag: the hash of an authority's key, as Apple's responders have it, or a leaf's name.
    let responderID: [UInt8]
    private let algorithm: [UInt8]
    /// What the signature is followed by; an authority shows no certificate.
    private let certificates: [UInt8]
    private let signature: @Sendable ([UInt8]) throws -> Data

    init(authority key: P384.Signing.PrivateKey, keyHash: [UInt8]) {
        responderID = BER.context(2, BER.octetString(keyHash))
        // 1.2.840.10045.4.3.3: ECDSA with SHA-384.
        algorithm = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03]
        certificates = []
        signature = { try key.signature(for: $0).derRepresentation }
    }

    init(leaf key: P256.Signing.PrivateKey, certificate: [UInt8]) throws {
        var name = DER.Serializer()
        try name.serialize(Certificate(derEncoded: certificate).subject)
        responderID = BER.context(1, name.serializedBytes)
        // 1.2.840.10045.4.3.2: ECDSA with SHA-256.
        algorithm = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
        certificates = BER.context(0, BER.sequence(certificate))
        signature = { try key.signature(for: $0).derRepresentation }
    }

    /// The BasicOCSPResponse around `data`.
    func sign(_ data: [UInt8]) throws -> [UInt8] {
        let signature = BER.value(0x03, [0] + (try signature(data)))
        return BER.sequence(data, BER.sequence(BER.identifier(algorithm)), signature, certificates)
    }
}
