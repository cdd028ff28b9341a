package import Contracts
import Crypto
import Domain

/// A proof of payment taken apart: what it is, what was signed, and the certificates beside it.
///
/// Only the shape is checked, without reading a certificate, so that unverified proofs can be compared.
///
/// | proof | what was signed | signature | not signed, so no part of the identity |
/// |---|---|---|---|
/// | JWS | header, dot, payload | r and s | line breaks, padding, alphabet |
/// | PKCS#7 | the octets of `eContent` | the signer's | line breaks, certificates, lengths, attributes outside |
/// | iOS 6 | `purchase-info` | `signature` | line breaks, every other field |
package struct SignedProof: Equatable, Sendable {
    package let kind: ProofKind
    /// Canonical: a JWS as compact text, a receipt as decoded bytes.
    package let bytes: [UInt8]
    package let certificates: Range<Int>
    /// SHA-256 over what was signed and its signature, 32 bytes.
    package let identity: [UInt8]
    /// When a JWS says that it was signed, unverified, s since 1970; 0 for other proofs, and for a JWS that does not
    /// say it in plain sight: as `"signedDate":` and digits, in no more text than Apple's transactions have.
    package let signedSeconds: UInt32

    /// Reads a text; nil when its kind of proof is unknown; an unparsable receipt's identity is all its
    /// bytes.
    package init?(_ text: String) {
        var text = text
        if text.withUTF8({ $0.contains(UInt8(ascii: ".")) }) {
            self.init(jws: Base64.normalizedJWS(text))
            return
        }
        guard let bytes = ReceiptText.bytes(ofBase64: text) else { return nil }
        if ReceiptText.isSignedData(bytes) {
            self.init(appReceipt: bytes)
        } else if TransactionReceipt.isList(bytes) {
            self.init(transactionReceipt: bytes)
        } else {
            return nil
        }
    }

    private init?(jws: [UInt8]) {
        do throws(VerificationFailure) {
            let parts = try CompactJWS(jws, maximumBytes: .max)
            kind = .signedTransaction
            bytes = jws
            certificates = parts.header.startIndex..<parts.header.endIndex
            let signature = ES256Signature.lowered(parts.signature)
            identity = Self.digest(.signedTransaction, parts.signingInput, signature[...])
            signedSeconds = Self.signedSeconds(in: parts.payload)
        } catch {
            return nil
        }
    }

    private init(appReceipt: [UInt8]) {
        kind = .appReceipt
        bytes = appReceipt
        signedSeconds = 0
        do throws(VerificationFailure) {
            let envelope = try ReceiptEnvelope(appReceipt)
            certificates = envelope.certificatePlace
            identity = Self.digest(.appReceipt, envelope.content, envelope.signer.signature)
        } catch {
            certificates = 0..<0
            identity = Self.digest(.appReceipt, appReceipt[...], [])
        }
    }

    private init(transactionReceipt: [UInt8]) {
        kind = .transactionReceipt
        bytes = transactionReceipt
        signedSeconds = 0
        certificates = 0..<0
        let parts =
            TransactionReceipt.signedParts(of: transactionReceipt)
            ?? (information: transactionReceipt, signature: [])
        identity = Self.digest(.transactionReceipt, parts.information[...], parts.signature[...])
    }

    /// Of the first `signedDate` in the text, which is in ms there.
    private static func signedSeconds(in payload: [UInt8]) -> UInt32 {
        guard payload.count <= CompactJWS.maximumBytes else { return 0 }
        let name = Array(#""signedDate":"#.utf8)
        let place = payload.indices.first { payload[$0] == name[0] && payload[$0...].starts(with: name) }
        let digits = payload.dropFirst(place.map { $0 + name.count } ?? payload.count)
            .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let milliseconds = Int64(String(decoding: digits, as: UTF8.self)) ?? 0
        return UInt32(clamping: milliseconds / 1_000)
    }

    private static func digest(
        _ kind: ProofKind,
        _ signed: ArraySlice<UInt8>,
        _ signature: ArraySlice<UInt8>
    ) -> [UInt8] {
        var hash = SHA256()
        // The lengths keep two pairs of parts from hashing alike.
        hash.update(data: Array("\(kind.rawValue) \(signed.count) \(signature.count)\n".utf8))
        signed.withUnsafeBytes { hash.update(bufferPointer: $0) }
        signature.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return Array(hash.finalize())
    }
}
