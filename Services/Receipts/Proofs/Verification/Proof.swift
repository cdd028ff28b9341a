import AppStore
import Contracts
import Crypto
import Domain
import FoundationEssentials

struct Proof: Equatable, Sendable {
    /// The actual kind; the submitted kind if the text does not show it.
    let kind: ProofKind
    /// A receipt's base64 is decoded; a JWS or unknown format stays text.
    let bytes: [UInt8]
    let isDecoded: Bool
    var certificates = 0..<0
    /// The device that an app receipt must be made for, if given.
    var deviceID: String?
    /// Distinguishes proofs; nil for one read from a row, whose receipt id has it.
    var identity: Identity?

    struct Identity: Equatable {
        /// SHA-256 over the signed content and signature, or over all of an unknown format.
        let digest: [UInt8]
        /// When the proof says that it was signed, unverified, s since 1970; 0 if that is not in plain sight.
        let signedSeconds: UInt32
    }

    /// The proof as text: a compact JWS, base64, or the unknown input.
    var text: String {
        isDecoded ? Data(bytes).base64EncodedString() : String(decoding: bytes, as: UTF8.self)
    }

    /// As `Identity` says.
    var digest: [UInt8] { known.digest }
    var signedSeconds: UInt32 { known.signedSeconds }

    private var known: Identity { identity ?? Identity(SignedProof(text), of: text, called: kind) }

    /// Whether its text is an id as Apple gives them to transactions.
    var isTransactionID: Bool { text.isAppleNumber && TransactionID(rawValue: text) != nil }

    /// Equality without the device.
    func isSame(as other: Proof) -> Bool { kind == other.kind && bytes == other.bytes }
}

extension Proof {
    /// Detects the kind from the text, whatever the phone calls it.
    init(kind: ProofKind, text: String, deviceID: String? = nil) {
        let signed = SignedProof(text)
        self.init(
            kind: signed?.kind ?? kind,
            bytes: signed?.bytes ?? Array(text.utf8),
            isDecoded: signed.map { $0.kind != .signedTransaction } ?? false,
            certificates: signed?.certificates ?? 0..<0,
            deviceID: deviceID,
            identity: Identity(signed, of: text, called: kind)
        )
    }
}

extension Proof.Identity {
    /// Of an unknown format, which is not `signed`, the same text submitted as another kind is another submission.
    init(_ signed: SignedProof?, of text: String, called kind: ProofKind) {
        self.init(
            digest: signed?.identity ?? Array(SHA256.hash(data: Array("\(kind.rawValue)\n\(text)".utf8))),
            signedSeconds: signed?.signedSeconds ?? 0
        )
    }
}

extension ReceiptID {
    /// The same id for every form in which this buyer of this app submits this proof to this partition: its claim's,
    /// or the buyer's.
    init(bundleID: BundleID, buyer: BuyerID, proof: Proof, chain: TransactionID? = nil) {
        let names = bundleID.rawValue + "\n" + buyer.rawValue + "\n"
        let digest = SHA256.hash(data: Array(names.utf8) + proof.digest)
        let home = PartitionKey.buyer(buyer, of: bundleID).shard
        let place = chain.map { PartitionKey.chain($0, of: bundleID).shard }
        self.init(signedSeconds: proof.signedSeconds, shard: home, place: place ?? home, digest: digest)
    }
}
