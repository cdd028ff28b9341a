import Contracts
import Database
import ZeroMQ

/// What a partition's owner has done since it took the partition.
struct PartitionCounters {
    /// Batches of inputs.
    var batches = 0
    /// Requests, events, settlements and results of work that were handled.
    var inputs = 0
    /// Time in `handle`, µs, commits included.
    var handlingMicroseconds = 0
    /// Events given to links, repeats included.
    var eventsSent = 0
    /// ZeroMQ messages, of one or more frames.
    var messagesSent = 0
    var messagesReceived = 0
    /// Connections of other machines that the process has refused.
    var strangers = 0
    /// What the service's handlers count.
    private var counts: [String: Int]
    /// The messages that handlers have handled or refused, by type; one whose handler failed is none.
    private(set) var messages: [String: HandledCount] = [:]
    /// The alarms, by kind; those that never came have 0, so that the first one is seen.
    private(set) var alarms = Dictionary(uniqueKeysWithValues: AlarmKind.allCases.map { ($0.rawValue, 0) })

    /// A service's counters begin at 0, so that the first of an event is seen.
    init(_ names: [String] = []) { counts = Dictionary(uniqueKeysWithValues: names.map { ($0, 0) }) }

    /// Adds what the handlers of a committed batch have counted, and the messages that they have handled.
    mutating func add(_ counted: [String: Int], messages taken: [String: HandledCount]) {
        counts.merge(counted, uniquingKeysWith: +)
        messages.merge(taken, uniquingKeysWith: +)
    }

    mutating func count(
        _ inputs: Int,
        _ output: PartitionOutput,
        took time: Duration,
        _ sockets: SocketStatistics?
    ) {
        batches += 1
        self.inputs += inputs
        handlingMicroseconds += Int(time / .microseconds(1))
        eventsSent += output.linkMessages.reduce(0) { $0 + $1.message.body.count }
        for alarm in output.alarms { alarms[alarm.kind.rawValue, default: 0] += 1 }
        guard let sockets else { return }
        (messagesSent, messagesReceived, strangers) = (sockets.sent, sockets.received, sockets.strangers)
    }

    /// By the names that `PartitionStatus.counters` has.
    func named(with store: StoreCounts) -> [String: Int] {
        let own = [
            "batches": batches,
            "inputs": inputs,
            "handling_microseconds": handlingMicroseconds,
            "link_events_sent": eventsSent,
            "messages_sent": messagesSent,
            "messages_received": messagesReceived,
            "commits": store.commits,
            "commit_microseconds": store.commitMicroseconds,
            "statements": store.statements,
            "pages_written": store.pagesWritten,
            "process_strangers": strangers,
            "process_encodes": ConversionCounts.encoded,
            "process_decodes": ConversionCounts.decoded,
        ]
        return own.merging(counts) { own, _ in own }
    }
}
