import Contracts
import Program

/// What was judged again, and what failed.
struct RetryReport {
    struct Object: Encodable {
        /// Counts by kind.
        let judged: [String: Int]
        let changed: [RetryPage.Item]
        let unchanged: [RetryPage.Item]
        let problems: [String]
    }

    var items: [RetryPage.Item] = []
    private(set) var failures: [CommandFailure] = []
    private(set) var missed = MissedPartitions()

    mutating func note(_ failure: CommandFailure, at address: PartitionAddress) {
        if failure.isSilence { missed.note(address, failure) } else { failures.append(failure) }
    }

    mutating func add(_ part: RetryReport) {
        items += part.items
        failures += part.failures
        missed.merge(part.missed)
    }

    /// Items whose state changed, in a stable order.
    var changed: [RetryPage.Item] { sorted { $0.before != $0.after } }

    /// Items that wait as before, in a stable order.
    var unchanged: [RetryPage.Item] { sorted { $0.before == $0.after } }

    private func sorted(where isShown: (RetryPage.Item) -> Bool) -> [RetryPage.Item] {
        items.filter(isShown).sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }
    }

    /// Every item with its state and reason before and after; those that changed come first.
    var text: String {
        let changed = changed
        let counts = RetryPage.Kind.allCases.map { count($0).counted($0.words) }
        let totals = "judged again: \(counts.joined(separator: ", ")); \(changed.count) changed"
        let columns: [TextTable.Column<RetryPage.Item>] = [
            ("KIND", \.kind.rawValue), ("ID", \.id), ("PRODUCT", { $0.productId?.rawValue ?? "-" }),
            ("BUYER", { $0.buyerId?.rawValue ?? "-" }), ("BEFORE", \.before.sentence),
            ("AFTER", \.after.sentence),
        ]
        return TextTable.text(of: changed + unchanged, columns: columns, total: totals)
    }

    var object: Object {
        let kinds = RetryPage.Kind.allCases.map { ($0.rawValue, count($0)) }
        return Object(
            judged: Dictionary(uniqueKeysWithValues: kinds),
            changed: changed,
            unchanged: unchanged,
            problems: (failures + [missed.failure("the retry")].compactMap(\.self)).map(\.description)
        )
    }

    /// 0 when everything was judged; a missing answer outranks a refusal.
    var exitCode: Int32 {
        guard missed.isEmpty else { return CommandFailure.incompleteCode }
        return failures.isEmpty ? 0 : Launch.failureCode
    }

    private func count(_ kind: RetryPage.Kind) -> Int { items.count { $0.kind == kind } }
}

extension RetryPage.Kind {
    /// What it is called in a sentence.
    fileprivate var words: String {
        switch self {
        case .submission, .orphan, .grant: rawValue
        case .serverNotification: "server notification"
        }
    }
}

extension RetryPage.ItemStatus {
    /// Such as `parked: unknownProduct`.
    fileprivate var sentence: String { reason.map { "\(state): \($0)" } ?? state }
}
