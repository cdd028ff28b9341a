import Contracts
import Crypto
import Delivery

/// A proof of payment as a phone handed it in.
struct Proof: Equatable, Sendable {
    let kind: ProofKind
    let text: String
    /// The device that an app receipt has to be made for, where the phone says.
    var deviceID: String?
}

extension ReceiptID {
    /// The id under which this buyer of this app hands in this proof, however often.
    init(bundleID: BundleID, buyer: BuyerID, proof: Proof) {
        let proofDigest = Self.hexadecimal(SHA256.hash(data: Array(proof.text.utf8)))
        var identity = bundleID.rawValue + "\n" + buyer.rawValue + "\n" + proofDigest
        // The same text handed in as another kind of proof is another submission.
        if proof.kind != .signedTransaction { identity += "\n" + proof.kind.rawValue }
        let digest = SHA256.hash(data: Array(identity.utf8))
        self.init(shard: Shard(bundleID: bundleID, buyer: buyer), digest: digest)
    }

    private static func hexadecimal(_ digest: SHA256Digest) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] },
            as: UTF8.self
        )
    }
}
