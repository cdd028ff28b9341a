import Crypto
import Database

/// The certificates of genuine proofs: Apple uses few at a time, and they are most of a proof's bytes.
struct CertificateChains {
    /// Smaller certificates stay in the proof, bytes: a reference saves nothing.
    private static let leastBytes = 512

    let connection: any Connection

    struct Stored {
        /// The proof, without certificates that are stored separately.
        let bytes: [UInt8]
        /// Key of the certificates, and their position in the proof.
        var chainID: [UInt8]?
        var chainPlace: Int?
    }

    /// The row's part of a proof; a genuine proof's certificates are stored once.
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
