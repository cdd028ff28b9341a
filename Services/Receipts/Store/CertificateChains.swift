import Crypto
import Database

/// The certificates of genuine proofs: Apple uses a handful at a time, and they are most of a proof's bytes.
struct CertificateChains {
    /// Certificates of fewer bytes stay with their proof: a reference is not worth it.
    private static let leastBytes = 512

    let connection: any Connection

    /// A proof as its row keeps it.
    struct Stored {
        /// The proof without its certificates, where they lie elsewhere.
        let bytes: [UInt8]
        /// Under what they lie, and where in the proof they belong.
        var chainID: [UInt8]?
        var chainPlace: Int?
    }

    /// What a row keeps of a proof, after the certificates of a genuine one were kept, once for all.
    func stored(_ proof: Proof, isGenuine: Bool) throws(StoreError) -> Stored {
        guard isGenuine, proof.certificates.count >= Self.leastBytes else {
            return Stored(bytes: proof.bytes)
        }
        let chain = Array(proof.bytes[proof.certificates])
        let id = Array(SHA256.hash(data: chain))
        try connection.execute(
            "INSERT INTO certificate_chain (chain_id, chain) VALUES (?, ?) ON CONFLICT (chain_id) DO NOTHING",
            [.blob(id), .blob(chain)]
        )
        var rest = proof.bytes
        rest.removeSubrange(proof.certificates)
        return Stored(bytes: rest, chainID: id, chainPlace: proof.certificates.lowerBound)
    }
}
