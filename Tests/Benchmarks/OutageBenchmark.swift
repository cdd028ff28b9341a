import ArgumentParser
import TestKit

/// `counterfoil-bench outage`: what Apple's servers cost a group when they are down.
struct Outage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outage",
        abstract:
            "Lets Apple's side fail under load, and says what was granted meanwhile and how soon after.",
        discussion: """
            Three kinds of proofs, evenly mixed: transactions that Apple signed, iOS 6 receipts of an app that \
            has nothing but verifyReceipt to ask, and those of an app that has a key to the App Store Server \
            API. The App Store simulator sells all of them before. Then verifyReceipt and the API answer with \
            resets, 503 and 21005 while they are handed in; afterwards nothing more is handed in, and what \
            waits is waited for. When something was granted is read in the ledgers.
            """
    )

    @Option(help: "Seconds of the outage.")
    var seconds: Double = 60

    @Option(help: "Proofs a second that are handed in.")
    var rate: Double = 200

    @Option(
        help: "Seconds of the same load before, with Apple in order; 65 fill the page caches of the stores."
    )
    var warmUp: Double = 65

    @Option(help: "The configured limit of calls a second to the App Store Server API.")
    var callsPerSecond = 50

    @Option(help: "Partitions of each service.")
    var partitions = 4

    @Flag(help: "Let Apple's side be silent: it takes every request and never answers.")
    var silent = false

    mutating func validate() throws {
        guard seconds > 0, rate > 0, warmUp >= 0, callsPerSecond > 0 else {
            throw ValidationError("Nothing may be negative, and only --warm-up may be 0.")
        }
        guard (seconds + warmUp) * rate <= Double(OutageRun.maximumSales) else {
            throw ValidationError("The simulator sells \(OutageRun.maximumSales) purchases at most.")
        }
    }

    func run() async throws {
        let result = try await AppStoreGroup.use(partitions: partitions, callsPerSecond: callsPerSecond) {
            var run = OutageRun(self, group: $0)
            return try await run.measure()
        }
        try report(result)
        if result.lost + result.twice + result.wrongBuyer + result.finishTooEarly > 0 { throw ExitCode(1) }
    }

    struct Result: Encodable {
        struct Kind: Encodable {
            /// Handed in and acknowledged during the outage.
            let submitted: Int
            let grantedDuringOutage: Int
            let granted: Int
            /// From the end of the outage to the last grant; absent if some were never granted.
            let secondsUntilAllGranted: Double?
        }

        /// How fast the App Store Server API was asked after the outage.
        struct Drain: Encodable {
            /// Calls that were answered, in whole seconds between the first and the last.
            let callsPerSecond: Double
            let limit: Int
            let ratio: Double
            /// Of the whole seconds: what the steady rate was, if some partitions were done before others.
            let medianCallsPerSecond: Int
            /// From the end of the outage.
            let secondsUntilFirstCall: Double
        }

        /// Megabytes of all processes of Receipts (PSS).
        struct Memory: Encodable {
            let before: Double
            let most: Double
            let after: Double
        }

        let kinds: [String: Kind]
        let drain: Drain?
        /// Acknowledged, and in no ledger.
        let lost: Int
        let twice: Int
        /// Entries in ledgers of buyers who did not make the purchase.
        let wrongBuyer: Int
        /// Told to finish by an answer that did not say granted.
        let finishTooEarly: Int
        let memoryMB: Memory
        /// Requests that had no 2xx, by status or kind of error.
        let errors: [String: Int]
        /// First answers to what was handed in during the outage, by verdict and reason.
        let verdicts: [String: Int]
        let outageSeconds: Double
        let rate: Double
        /// What Apple's side answered during the outage, by status.
        let callsDuringOutage: [String: Int]
    }
}
