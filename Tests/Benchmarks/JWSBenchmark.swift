import AppStore
import AppStoreSigning
import ArgumentParser
import Contracts

/// `counterfoil-bench jws`: how many signed transactions one core verifies, with a chain of Apple's shape.
struct JWS: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jws",
        abstract: "Verifies transactions with an Apple-shaped chain on one core."
    )

    private static let transactions = 256

    @Option(help: "How long to measure.")
    var seconds: Double = 3

    func run() throws {
        let signer = try AppStoreSigner()
        let now = Timestamp(milliseconds: 1_767_225_600_000)
        var purchase = SimulatedPurchase(bundleId: "com.example.game", productId: "com.example.game.coins100")
        purchase.appAccountToken = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        let proofs = try (0..<Self.transactions).map { _ in
            try signer.sign(transaction: purchase.transaction(at: now))
        }
        let rates = try VerificationRate(of: proofs, seconds: seconds) {
            TransactionVerifier(extraRoots: [signer.rootDER])
        } verify: {
            _ = try $0.verify($1, now: now)
        }
        try report(SignatureRates(rates, bytes: proofs[0].utf8.count, seconds: seconds / 2))
    }
}
