import AppStore
import Contracts
import Crypto
import Domain
import Foundation

/// A proof of payment as a phone handed it in.
struct Proof: Equatable, Sendable {
    /// What it is; what it was handed in as, where its text does not tell.
    let kind: ProofKind
    /// A JWS and what has the shape of no proof as text, a receipt as the bytes that its base64 stands for.
    let bytes: [UInt8]
    /// Whether `bytes` is what base64 stands for.
    let isDecoded: Bool
    /// Where in `bytes` the certificates lie.
    let certificates: Range<Int>
    /// The device that an app receipt has to be made for, where the phone says.
    var deviceID: String?
    /// What tells it from other proofs, as long as it is known: a row keeps it in its receipt id.
    private let identity: [UInt8]?

    /// The proof in a text, read for what it is, whatever the phone calls it.
    init(kind: ProofKind, text: String, deviceID: String? = nil) {
        self.deviceID = deviceID
        if let signed = SignedProof(text) {
            self.kind = signed.kind
            bytes = signed.bytes
            isDecoded = signed.kind != .signedTransaction
            certificates = signed.certificates
            identity = signed.identity
        } else {
            self.kind = kind
            bytes = Array(text.utf8)
            isDecoded = false
            certificates = 0..<0
            // The same bytes handed in as another kind of proof are another submission.
            identity = Array(SHA256.hash(data: Array("\(kind.rawValue)\n".utf8) + bytes))
        }
    }

    /// A proof that is kept.
    init(kind: ProofKind, bytes: [UInt8], isDecoded: Bool, certificates: Range<Int>, deviceID: String?) {
        self.kind = kind
        self.bytes = bytes
        self.isDecoded = isDecoded
        self.certificates = certificates
        self.deviceID = deviceID
        identity = nil
    }

    /// The proof as text: a compact JWS, base64, or whatever was handed in.
    var text: String {
        isDecoded ? Data(bytes).base64EncodedString() : String(decoding: bytes, as: UTF8.self)
    }

    /// SHA-256 over what was signed and its signature, or over all of what has the shape of no proof.
    var digest: [UInt8] { identity ?? Proof(kind: kind, text: text).digest }

    /// Whether two hold the same; for which device they were handed in does not count.
    func isSame(as other: Proof) -> Bool { kind == other.kind && bytes == other.bytes }

    /// A proof of which only the facts are kept any more has no bytes.
    var isDropped: Bool { bytes.isEmpty }
}

extension ReceiptID {
    /// The id under which this buyer of this app hands in this proof, however often and in whatever dress.
    init(bundleID: BundleID, buyer: BuyerID, proof: Proof) {
        let names = bundleID.rawValue + "\n" + buyer.rawValue + "\n"
        let digest = SHA256.hash(data: Array(names.utf8) + proof.digest)
        self.init(shard: PartitionKey.buyer(buyer, of: bundleID).shard, digest: digest)
    }
}
