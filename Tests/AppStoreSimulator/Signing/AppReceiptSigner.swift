import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// Signs app receipts as Apple does: CMS (RFC 5652) with an RSA leaf, under a root certificate of its own.
///
/// A verifier accepts them only where that root was added to those it trusts.
package struct AppReceiptSigner: Sendable {
    private let chain: ReceiptChain
    private let style: ReceiptStyle

    /// A signer with a new chain of RSA keys that is kept nowhere.
    package init(style: ReceiptStyle = ReceiptStyle()) throws {
        chain = try ReceiptChain(style)
        self.style = style
    }

    /// The signer kept in `stateFolder`, below the same root as `AppStoreSigner`'s; made there first if need be.
    package init(stateFolder: String) throws {
        chain = try ReceiptChain(SigningState(folder: stateFolder).chain())
        style = ReceiptStyle()
    }

    private init(_ chain: ReceiptChain, _ style: ReceiptStyle) {
        self.chain = chain
        self.style = style
    }

    /// A signer with the same keys that writes in another style.
    package func writing(in style: ReceiptStyle) -> AppReceiptSigner { AppReceiptSigner(chain, style) }

    package var rootDER: [UInt8] { chain.root }

    /// The receipt in base64, as an app hands it in.
    package func base64(_ receipt: SimulatedReceipt) throws -> String {
        Data(try sign(receipt)).base64EncodedString()
    }

    package func sign(_ receipt: SimulatedReceipt) throws -> [UInt8] { try sign(content: receipt.content) }

    /// Any content, signed and written as a receipt.
    package func sign(content: [UInt8]) throws -> [UInt8] {
        let content = style.isDouble ? BER.octetString(content) : content
        let signer = try signerInformation(content)
        let count = [.withoutSigner: 0, .twoSigners: 2][style.flaw] ?? 1
        let parts = [
            BER.integer(1), BER.set([BER.sequence(BER.identifier(digestIdentifier), BER.null)]),
            encapsulated(style.flaw == .tamperedContent ? content.spoiled : content),
            BER.context(0, certificates.flatMap { $0 }), BER.set(Array(repeating: signer, count: count)),
        ]
        let data = wrap(0x30, parts.flatMap { $0 })
        return wrap(0x30, BER.identifier(CMSIdentifiers.signedData) + wrap(0xA0, data))
    }

    /// Any content, written as a receipt that bears a signature of nobody's.
    package static func unsigned(content: [UInt8]) -> [UInt8] {
        let name = BER.sequence(BER.sequence(), BER.integer(1))
        let algorithm = BER.sequence(BER.identifier(CMSIdentifiers.sha256), BER.null)
        let signer = BER.sequence(BER.integer(1), name, algorithm, algorithm, BER.octetString([]))
        let data = BER.sequence(
            BER.integer(1),
            BER.set([algorithm]),
            BER.sequence(BER.identifier(CMSIdentifiers.data), BER.context(0, BER.octetString(content))),
            BER.set([signer])
        )
        return BER.sequence(BER.identifier(CMSIdentifiers.signedData), BER.context(0, data))
    }

    private func wrap(_ tag: UInt8, _ inside: [UInt8]) -> [UInt8] {
        style.isIndefinite ? BER.indefinite(tag, inside) : BER.value(tag, inside)
    }

    private func encapsulated(_ content: [UInt8]) -> [UInt8] {
        let half = content.count / 2
        let octets =
            style.isIndefinite
            ? BER.indefinite(
                0x24,
                BER.octetString(Array(content[..<half])) + BER.octetString(Array(content[half...]))
            ) : BER.octetString(content)
        return wrap(0x30, BER.identifier(CMSIdentifiers.data) + wrap(0xA0, octets))
    }

    /// The DER of the certificates that a receipt carries: leaf, intermediate, root, unless a flaw is asked for.
    package var certificates: [[UInt8]] {
        switch style.flaw {
        case .withoutLeaf: [chain.intermediate, chain.root]
        case .withoutIntermediate: [chain.leaf, chain.root]
        case .withoutRoot: [chain.leaf, chain.intermediate]
        case .selfSigned: [chain.leaf]
        default: [chain.leaf, chain.intermediate, chain.root]
        }
    }

    private var digestIdentifier: [UInt8] {
        if style.flaw == .unknownDigest { return CMSIdentifiers.sha512 }
        return style.digest == .sha1 ? CMSIdentifiers.sha1 : CMSIdentifiers.sha256
    }

    private func signerInformation(_ content: [UInt8]) throws -> [UInt8] {
        let attributes = try style.signsAttributes ? signedAttributes(content) : nil
        return BER.sequence(
            BER.integer(1),
            try name(of: style.flaw == .otherSigner ? chain.intermediate : chain.leaf),
            BER.sequence(BER.identifier(digestIdentifier), BER.null),
            attributes.map { BER.context(0, $0) } ?? [],
            BER.sequence(BER.identifier(CMSIdentifiers.rsa), BER.null),
            BER.octetString(try signature(of: attributes.map { BER.set([$0]) } ?? content))
        )
    }

    /// Content type and digest, in DER's order.
    private func signedAttributes(_ content: [UInt8]) throws -> [UInt8] {
        let digest =
            style.digest == .sha1
            ? Array(Insecure.SHA1.hash(data: content)) : Array(SHA256.hash(data: content))
        let attributes = [
            (CMSIdentifiers.contentType, BER.identifier(CMSIdentifiers.data)),
            (CMSIdentifiers.messageDigest, BER.octetString(digest)),
        ]
        return attributes.flatMap { BER.sequence(BER.identifier($0), BER.set([$1])) }
    }

    private func name(of certificate: [UInt8]) throws -> [UInt8] {
        let certificate = try Certificate(derEncoded: certificate)
        var issuer = DER.Serializer()
        try issuer.serialize(certificate.issuer)
        return BER.sequence(issuer.serializedBytes, BER.unsigned(Array(certificate.serialNumber.bytes)))
    }

    private func signature(of bytes: [UInt8]) throws -> [UInt8] {
        let digest: any Digest =
            switch (style.flaw, style.digest) {
            case (.unknownDigest, _): SHA512.hash(data: bytes)
            case (_, .sha1): Insecure.SHA1.hash(data: bytes)
            case (_, .sha256): SHA256.hash(data: bytes)
            }
        return Array(try chain.key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation)
    }
}

/// The object identifiers of RFC 5652 that receipts use, by their contents in BER.
private enum CMSIdentifiers {
    static let pkcs: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01]
    static let data = pkcs + [7, 1]
    static let signedData = pkcs + [7, 2]
    static let contentType = pkcs + [9, 3]
    static let messageDigest = pkcs + [9, 4]
    static let rsa = pkcs + [1, 1]
    static let sha1: [UInt8] = [0x2B, 0x0E, 0x03, 0x02, 0x1A]
    static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
    static let sha512: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03]
}
