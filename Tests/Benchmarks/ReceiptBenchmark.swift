import AppStore
import AppStoreSigning
import ArgumentParser
import Contracts

/// How many app receipts one core verifies and turns into transactions, with RSA certificates of Apple's shape.
package struct ReceiptBenchmark {
    /// What was measured.
    package struct Result: Encodable, Sendable {
        /// Typical receipts a second on one core, the chain known: the normal case.
        package let receiptsPerSecond: Double
        /// Milliseconds for one of them.
        package let receiptMs: Double
        package let receiptBytes: Int
        package let receiptRows: Int
        /// Receipts of a buyer of many years a second.
        package let longReceiptsPerSecond: Double
        /// Milliseconds for one of them.
        package let longReceiptMs: Double
        package let longReceiptBytes: Int
        package let longReceiptRows: Int
        /// Milliseconds for one typical receipt whose chain was not met before.
        package let coldChainMs: Double
    }

    private static let typicalRows = 5
    private static let longRows = 187
    private static let coldRounds = 50
    private static let roundsBetweenClockReadings = 16
    /// Different receipts of each kind, so that none is always the last one read.
    private static let receipts = 16
    private static let now = Timestamp(milliseconds: 1_767_225_600_000)

    /// Verifies for `seconds` on the calling thread, half of them each kind.
    package static func run(seconds: Double) throws -> Result {
        let signer = try AppReceiptSigner()
        let typical = try (0..<receipts).map { _ in try signer.sign(receipt(rows: typicalRows)) }
        let long = try (0..<receipts).map { _ in try signer.sign(receipt(rows: longRows)) }
        let roots = [signer.rootDER]
        let cold = try coldChain(typical, roots: roots)
        let typicalRate = try rate(typical, roots: roots, for: .seconds(seconds / 2))
        let longRate = try rate(long, roots: roots, for: .seconds(seconds / 2))
        return Result(
            receiptsPerSecond: typicalRate.rounded(),
            receiptMs: 1_000 / typicalRate,
            receiptBytes: typical[0].count,
            receiptRows: typicalRows,
            longReceiptsPerSecond: longRate.rounded(),
            longReceiptMs: 1_000 / longRate,
            longReceiptBytes: long[0].count,
            longReceiptRows: longRows,
            coldChainMs: cold
        )
    }

    private static func receipt(rows: Int) -> SimulatedReceipt {
        var purchase = SimulatedPurchase(
            bundleId: "com.example.game",
            productId: "com.example.game.season.pass"
        )
        purchase.type = "Auto-Renewable Subscription"
        let purchases = (0..<rows).map { row in
            var transaction = purchase.transaction(at: now.advanced(by: Int64(-row) * 2_592_000_000))
            transaction.expiresDate = transaction.purchaseDate + 2_592_000_000
            transaction.webOrderLineItemId = "2000000\(row)"
            return transaction
        }
        return SimulatedReceipt(bundleId: "com.example.game", creationDate: now, purchases: purchases)
    }

    private static func coldChain(_ receipts: [[UInt8]], roots: [[UInt8]]) throws -> Double {
        let elapsed = try ContinuousClock().measure {
            for round in 0..<coldRounds {
                _ = try AppReceiptVerifier(extraRoots: roots).verify(receipts[round % receipts.count])
            }
        }
        return elapsed / .milliseconds(1) / Double(coldRounds)
    }

    private static func rate(_ receipts: [[UInt8]], roots: [[UInt8]], for duration: Duration) throws -> Double
    {
        let verifier = AppReceiptVerifier(extraRoots: roots)
        for receipt in receipts { _ = try verifier.verify(receipt) }
        let clock = ContinuousClock()
        let start = clock.now
        var verified = 0
        while clock.now - start < duration {
            for _ in 0..<roundsBetweenClockReadings {
                _ = try verifier.verify(receipts[verified % receipts.count]).transactions
                verified += 1
            }
        }
        return Double(verified) / ((clock.now - start) / .seconds(1))
    }
}

/// `counterfoil-bench receipt`.
struct Receipt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Verifies PKCS#7 app receipts with an Apple-shaped chain on one core.",
        discussion: """
            With --hostile: hands receipts of 3 MiB that were written to harm in to a group, all at once, and \
            measures how long the heartbeat and the purchases of other buyers take meanwhile.
            """
    )

    @Option(help: "How long to measure.")
    var seconds: Double = 4

    @Flag(help: "Measure what hostile receipts do to others.")
    var hostile = false

    @Option(help: "Hostile receipts handed in at once.")
    var count = 128

    @Option(help: "Purchases a second of other buyers meanwhile.")
    var rate: Double = 20

    func run() async throws {
        guard hostile else { return try report(ReceiptBenchmark.run(seconds: seconds)) }
        try report(await HostileReceiptBenchmark(count: count, rate: rate).run())
    }
}
