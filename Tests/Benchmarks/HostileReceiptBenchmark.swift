import AppStoreSigning
import Foundation
import LoadVerdict
import TestKit

/// How long others wait while many receipts that were written to harm are handed in at once.
struct HostileReceiptBenchmark {
    struct Result: Encodable {
        let count: Int
        /// Bytes of base64 of each of them.
        let receiptBytes: Int
        /// Taken at the first attempt; the others were told that the owner is busy, and tried again.
        let takenAtOnce: Int
        /// Until the last of them was taken.
        let hostileSeconds: Double
        /// The longest round through the thread and the store of a partition of Receipts, as a heartbeat makes it.
        let heartbeatLongestMs: Double
        /// Purchases of other buyers that were granted meanwhile.
        let purchases: Int
        /// The longest of them, from the submission to the answer that says granted.
        let purchaseLongestMs: Double
        /// The longest of those before, when nothing hostile was about.
        let quietLongestMs: Double
        /// Processes of Receipts that `up` had to replace.
        let replaced: Int
        let lost: Int
        let twice: Int
    }

    /// The text of the largest receipt that is read, in bytes.
    private static let textBytes = 8 << 20
    private static let partitions = 4
    private static let quietSeconds = 5.0

    let count: Int
    let rate: Double

    func run() async throws -> Result {
        try await TestGroup.use(partitions: Self.partitions, measure)
    }

    private func measure(_ group: TestGroup) async throws -> Result {
        let before = try await group.status().processes(of: "receipts")
        // As many as there are patterns, so that they do not fill this program.
        let kinds = Self.patterns.map(Self.receipt)
        let receipts = (0..<count).map { kinds[$0 % kinds.count] }
        let journal = group.home.folder + "/journal"
        let pulse = try Pulse(home: group.home.root, partitions: Self.partitions)
        var (start, end, takenAtOnce) = (Int64.max, Int64.max, 0)
        var heartbeatLongest = Duration.zero
        let load = Load(group: group, rate: rate, journal: journal)
        let verdict = try await load.run(seconds: 2 * Self.quietSeconds + Double(count) / 2) {
            try await Task.sleep(for: .seconds(Self.quietSeconds))
            start = WallClock.microseconds
            heartbeatLongest = try await pulse.longest {
                takenAtOnce = try await submit(receipts, to: group.gateway)
            }
            end = WallClock.microseconds
        }
        let grants = try Grant.all(in: journal)
        let among = grants.filter { $0.at >= start && $0.sentAt <= end }.map(\.milliseconds)
        let after = try await group.status().processes(of: "receipts")
        return Result(
            count: count,
            receiptBytes: Self.textBytes,
            takenAtOnce: takenAtOnce,
            hostileSeconds: Double(end - start) / 1_000_000,
            heartbeatLongestMs: heartbeatLongest / .milliseconds(1),
            purchases: among.count,
            purchaseLongestMs: among.max() ?? 0,
            quietLongestMs: grants.filter { $0.at < start }.map(\.milliseconds).max() ?? 0,
            replaced: Set(before).subtracting(after).count,
            lost: verdict.lost,
            twice: verdict.twice
        )
    }

    // MARK: The receipts

    /// What is repeated in the content: rows without meaning, purchases without content, sequences without end,
    /// nothing.
    private static let patterns: [[UInt8]] = [
        [0x30, 0x09, 0x02, 0x01, 0x63, 0x02, 0x01, 0x01, 0x04, 0x00],
        [0x30, 0x0A, 0x02, 0x01, 0x11, 0x02, 0x01, 0x01, 0x04, 0x02, 0x31, 0x00],
        [0x30, 0x80], [0x00],
    ]

    /// A receipt that nobody signed, as the phone sends it.
    private static func receipt(_ pattern: [UInt8]) -> String {
        // Three quarters of the text, less what is around the content.
        let size = textBytes / 4 * 3 - 1_024
        var rows: [UInt8] = []
        rows.reserveCapacity(size)
        while rows.count < size { rows += pattern }
        let receipt = AppReceiptSigner.unsigned(content: BER.value(0x31, rows))
        return Data(receipt).base64EncodedString()
    }

    /// Submits all at once, and again whatever was not taken.
    ///
    /// - Returns: how many were taken at the first attempt.
    private func submit(_ receipts: [String], to gateway: GatewayClient) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { tasks in
            for (number, receipt) in receipts.enumerated() {
                tasks.addTask {
                    var attempts = 1
                    while try await !isTaken(receipt, of: "hostile-\(number)", by: gateway) {
                        attempts += 1
                        try await Task.sleep(for: .seconds(1))
                    }
                    return attempts
                }
            }
            return try await tasks.reduce(into: 0) { $0 += $1 == 1 ? 1 : 0 }
        }
    }

    private func isTaken(
        _ receipt: String,
        of buyer: String,
        by gateway: GatewayClient
    ) async throws -> Bool {
        do {
            let reply = try await gateway.submit(buyer, proof: receipt, kind: "appReceipt", wait: 0)
            if [429, 503].contains(reply.status) { return false }
            guard reply.isPositive else { throw HarnessFault("answered with \(reply.status) \(reply.text)") }
            return true
        } catch HTTPConnections.Fault.timedOut {
            return false
        } catch HTTPConnections.Fault.closed {
            return false
        }
    }
}
