import Foundation
import TestKit

/// Samples of a group's log while a load runs.
struct LogWatch {
    private static let pause = Duration.milliseconds(100)

    private var meter: LogMeter
    private var grants: GrantCount
    /// Purchases between two samples.
    private let every: Int
    private(set) var samples: [LogSample] = []

    init(meter: LogMeter, grants: GrantCount, every: Int) {
        (self.meter, self.grants, self.every) = (meter, grants, every)
    }

    /// Samples whenever so many more purchases were granted, while a condition holds.
    mutating func run(while condition: () -> Bool) async throws {
        var next = every
        while condition() {
            try await Task.sleep(for: Self.pause)
            try grants.update()
            guard grants.count >= next else { continue }
            next = (grants.count / every + 1) * every
            try await sample(purchases: grants.count)
        }
    }

    /// The last sample, and what it was taken from.
    mutating func finish(purchases: Int) async throws -> LogMeter {
        try await sample(purchases: purchases)
        return meter
    }

    private mutating func sample(purchases: Int) async throws {
        try await meter.update()
        let sample = LogSample(meter, purchases: purchases)
        samples.append(sample)
        let line = "commit-log: \(purchases) purchases, \(sample.tableBytes) bytes in the tables"
        FileHandle.standardError.write(Data("\(line), \(sample.keptEntries) entries kept\n".utf8))
    }
}
