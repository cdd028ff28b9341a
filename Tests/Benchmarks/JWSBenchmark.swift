import AppStore
import AppStoreSigning
import Contracts

/// How many signed transactions one core verifies, with a chain of Apple's shape: P-384, P-384, P-256.
package struct JWSBenchmark {
    /// What was measured.
    package struct Result: Encodable, Sendable {
        /// Transactions a second on one core, the chain known: the normal case.
        package let verificationsPerSecond: Double
        /// Milliseconds for one transaction whose chain was not met before.
        package let coldChainMs: Double
        /// Bytes of one JWS.
        package let jwsBytes: Int
    }

    private static let transactions = 256
    private static let coldRounds = 50
    private static let roundsBetweenClockReadings = 64

    /// Verifies for `seconds` on the calling thread.
    package static func run(seconds: Double) throws -> Result {
        let signer = try AppStoreSigner()
        let now = Timestamp(milliseconds: 1_767_225_600_000)
        var purchase = SimulatedPurchase(bundleId: "com.example.game", productId: "com.example.game.coins100")
        purchase.appAccountToken = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        let proofs = try (0..<transactions).map { _ in
            try signer.sign(transaction: purchase.transaction(at: now))
        }
        let cold = try coldChain(proofs, roots: [signer.rootDER], now: now)
        let warm = try warmChain(proofs, roots: [signer.rootDER], now: now, for: .seconds(seconds))
        return Result(
            verificationsPerSecond: warm.rounded(),
            coldChainMs: cold,
            jwsBytes: proofs[0].utf8.count
        )
    }

    private static func coldChain(_ proofs: [String], roots: [[UInt8]], now: Timestamp) throws -> Double {
        let elapsed = try ContinuousClock().measure {
            for round in 0..<coldRounds {
                _ = try TransactionVerifier(extraRoots: roots).verify(proofs[round % proofs.count], now: now)
            }
        }
        return elapsed / .milliseconds(1) / Double(coldRounds)
    }

    private static func warmChain(
        _ proofs: [String],
        roots: [[UInt8]],
        now: Timestamp,
        for duration: Duration
    ) throws -> Double {
        let verifier = TransactionVerifier(extraRoots: roots)
        for proof in proofs { _ = try verifier.verify(proof, now: now) }
        let clock = ContinuousClock()
        let start = clock.now
        var verified = 0
        while clock.now - start < duration {
            for _ in 0..<roundsBetweenClockReadings {
                _ = try verifier.verify(proofs[verified % proofs.count], now: now)
                verified += 1
            }
        }
        return Double(verified) / ((clock.now - start) / .seconds(1))
    }
}
