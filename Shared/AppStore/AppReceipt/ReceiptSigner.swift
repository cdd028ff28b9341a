import Crypto
import SwiftASN1
import X509

/// Who signed a receipt, how, and the signature (RFC 5652 §5.3).
///
/// | | here |
/// |---|---|
/// | signer | by issuer and serial number; a key identifier is refused, Apple never writes one |
/// | digest | SHA-1 or SHA-256 of the content |
/// | signature | RSA PKCS#1 v1.5 (RFC 8017 §8.2) with the same digest |
/// | without signed attributes | over the raw content: Apple's way |
/// | with them | they name the content's type and its digest, and the signature is over their DER |
///
/// SHA-1 is accepted for the content whatever its date: replacing the content of an old signature needs a second
/// preimage, which nobody can make; preparing two contents needs Apple to sign one of them, and a receipt's bytes are
/// Apple's.
struct ReceiptSigner {
    /// Common signers write three.
    static let maximumAttributes = 16

    let name: IssuerAndSerialNumber
    private let algorithm: Certificate.SignatureAlgorithm?
    private let attributes: BERValue?
    let signature: ArraySlice<UInt8>

    init(_ information: BERValue) throws(VerificationFailure) {
        var fields = information.reader
        _ = try fields.next(.integer)
        guard var names = try fields.next(if: .sequence)?.reader else {
            throw VerificationFailure(.malformed, "the signer is not named by issuer and serial number")
        }
        name = IssuerAndSerialNumber(
            issuer: try names.next(.sequence).encoding,
            serialNumber: try names.next(.integer).contents
        )
        var digest = try fields.next(.sequence).reader
        attributes = try fields.next(if: .context(0))
        var signing = try fields.next(.sequence).reader
        algorithm = Self.algorithm(try digest.identifier(), try signing.identifier())
        signature = try fields.next().octets()
    }

    private static func algorithm(
        _ digest: CMSIdentifier,
        _ signing: CMSIdentifier
    ) -> Certificate.SignatureAlgorithm? {
        switch (digest, signing) {
        case (.sha1, .rsa), (.sha1, .rsaWithSHA1): .sha1WithRSAEncryption
        case (.sha256, .rsa), (.sha256, .rsaWithSHA256): .sha256WithRSAEncryption
        default: nil
        }
    }

    func check(
        _ content: ArraySlice<UInt8>,
        signedBy key: Certificate.PublicKey
    ) throws(VerificationFailure) {
        guard let algorithm else {
            throw VerificationFailure(.untrusted, "the receipt is signed with an unknown algorithm")
        }
        var signed = content
        if let attributes {
            signed = try Self.signedBytes(of: attributes, digest: digest(content, algorithm))
        }
        guard key.isValidSignature(signature, for: signed, signatureAlgorithm: algorithm) else {
            throw VerificationFailure(.badSignature, "the certificate's key did not sign this receipt")
        }
    }

    private func digest(_ content: ArraySlice<UInt8>, _ algorithm: Certificate.SignatureAlgorithm) -> [UInt8]
    {
        algorithm == .sha1WithRSAEncryption
            ? Array(Insecure.SHA1.hash(data: content)) : Array(SHA256.hash(data: content))
    }

    /// The DER of the attributes as a SET OF, in DER's order, if they name this digest (RFC 5652 §5.4).
    private static func signedBytes(
        of attributes: BERValue,
        digest: [UInt8]
    ) throws(VerificationFailure) -> ArraySlice<UInt8> {
        var types: [ArraySlice<UInt8>] = []
        var digests: [ArraySlice<UInt8>] = []
        var encodings: [ArraySlice<UInt8>] = []
        var reader = attributes.reader
        while !reader.isAtEnd {
            guard encodings.count < maximumAttributes else {
                throw VerificationFailure(.malformed, "more than \(maximumAttributes) signed attributes")
            }
            let attribute = try reader.next(.sequence)
            encodings.append(attribute.encoding)
            var fields = attribute.reader
            let identifier = try fields.identifier()
            var values = try fields.next(.set).reader
            if identifier == .contentType { types.append(try values.next(.objectIdentifier).contents) }
            if identifier == .messageDigest { digests.append(try values.next().octets()) }
        }
        guard types.count == 1, CMSIdentifier(contents: types[0]) == .data, digests.count == 1 else {
            throw VerificationFailure(.malformed, "the signed attributes do not name type and digest")
        }
        guard digests[0].elementsEqual(digest) else {
            throw VerificationFailure(.badSignature, "the signed digest is another content's")
        }
        encodings.sort { $0.lexicographicallyPrecedes($1) }
        var serializer = DER.Serializer()
        serializer.appendConstructedNode(identifier: .set) { set in
            for encoding in encodings { set.serializeRawBytes(encoding) }
        }
        return serializer.serializedBytes[...]
    }
}
