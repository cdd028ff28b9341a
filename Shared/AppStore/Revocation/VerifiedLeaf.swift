import Contracts

struct VerifiedLeaf<Key: Sendable>: Sendable {
    let key: Key
    let chain: VerifiedChain

    func requireValid(at time: Timestamp) throws(VerificationFailure) {
        guard chain.isValid(at: time) else {
            throw VerificationFailure(
                .expiredCertificate,
                "a certificate is not valid at the time of signature"
            )
        }
    }
}
