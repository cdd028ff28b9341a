import AppStore
import AppStoreSigning
import ArgumentParser
import Contracts

/// How many app receipts one core verifies and turns into transactions, with RSA certificates of Apple's shape.
struct ReceiptBenchmark {
    struct Result: Encodable, Sendable {
        /// Typical receipts a second on one core, the chain known: the normal case.
        let receiptsPerSecond: Double
        /// Milliseconds for one of them.
        let receiptMs: Double
        let receiptBytes: Int
        let receiptRows: Int
        /// Receipts of a buyer of many years a second.
        let longReceiptsPerSecond: Double
        /// Milliseconds for one of them.
        let longReceiptMs: Double
        let longReceiptBytes: Int
        let longReceiptRows: Int
        /// Milliseconds for one typical receipt whose chain was not met before.
        let coldChainMs: Double
    }

    private static let typicalRows = 5
    private static let longRows = 187
    /// Different receipts of each kind, so that none is always the last one read.
    private static let receipts = 16
    private static let now = Timestamp(milliseconds: 1_767_225_600_000)

    /// Verifies for `seconds` on the calling thread, half of them each kind.
    static func run(seconds: Double) throws -> Result {
        let signer = try AppReceiptSigner()
        let (typical, long) = (try receipts(rows: typicalRows, signer), try receipts(rows: longRows, signer))
        let rates = try [typical, long].map { receipts in
            try VerificationRate(of: receipts, seconds: seconds / 2) {
                AppReceiptVerifier(extraRoots: [signer.rootDER])
            } verify: {
                _ = try $0.verify($1).transactions
            }
        }
        return Result(
            receiptsPerSecond: rates[0].perSecond.rounded(),
            receiptMs: 1_000 / rates[0].perSecond,
            receiptBytes: typical[0].count,
            receiptRows: typicalRows,
            longReceiptsPerSecond: rates[1].perSecond.rounded(),
            longReceiptMs: 1_000 / rates[1].perSecond,
            longReceiptBytes: long[0].count,
            longReceiptRows: longRows,
            coldChainMs: rates[0].coldMilliseconds
        )
    }

    private static func receipts(rows: Int, _ signer: AppReceiptSigner) throws -> [[UInt8]] {
        try (0..<receipts).map { _ in try signer.sign(receipt(rows: rows)) }
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
}

/// `counterfoil-bench receipt`.
struct Receipt: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipt",
        abstract: "Verifies PKCS#7 app receipts with an Apple-shaped chain on one core.",
        discussion: """
            With --hostile: hands receipts of 8 MiB that were written to harm in to a group, all at once, and \
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
