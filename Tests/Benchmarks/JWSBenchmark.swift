import AppStore
import AppStoreSigning
import Contracts

/// How many signed transactions one core verifies, with a chain of Apple's shape: P-384, P-384, P-256.
struct JWSBenchmark {
    struct Result: Encodable {
        /// Transactions a second on one core, the chain known: the normal case.
        let verificationsPerSecond: Double
        /// Milliseconds for one transaction whose chain was not met before.
        let coldChainMs: Double
        /// Bytes of one JWS.
        let jwsBytes: Int
    }

    private static let transactions = 256

    /// Verifies for `seconds` on the calling thread.
    static func run(seconds: Double) throws -> Result {
        let signer = try AppStoreSigner()
        let now = Timestamp(milliseconds: 1_767_225_600_000)
        var purchase = SimulatedPurchase(bundleId: "com.example.game", productId: "com.example.game.coins100")
        purchase.appAccountToken = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        let proofs = try (0..<transactions).map { _ in
            try signer.sign(transaction: purchase.transaction(at: now))
        }
        let roots = [signer.rootDER]
        let cold = try VerificationRate.coldMilliseconds(of: proofs) {
            _ = try TransactionVerifier(extraRoots: roots).verify($0, now: now)
        }
        let verifier = TransactionVerifier(extraRoots: roots)
        let warm = try VerificationRate.perSecond(of: proofs, for: .seconds(seconds)) {
            _ = try verifier.verify($0, now: now)
        }
        return Result(
            verificationsPerSecond: warm.rounded(),
            coldChainMs: cold,
            jwsBytes: proofs[0].utf8.count
        )
    }
}
