import DeliveryCore

/// A frame or a request on its way.
struct SimulatedPacket {
    enum Content {
        case toReceiver(LinkFrame, [SimulatedRow])
        case toSender(LinkFrame)
        case request(SimulatedMessage)
    }

    var link: Int
    /// The process that holds the sender's end of the connection, and which life of it.
    var host = 0
    var life = 0
    /// The owner of the receiving partition when the frame left.
    var generation = 0
    var connection: [UInt8] = []
    var content: Content
}

/// What will happen in the simulated group.
enum SimulatedJob {
    case arrive(SimulatedPacket)
    /// The owner of this generation runs a batch.
    case work(partition: Int, generation: Int)
    case timer(link: Int, generation: Int, serial: Int)
    case retry(partition: Int, generation: Int)
    case takeover(partition: Int)
    /// The outside asks for something.
    case order
    case fault
    /// The operator looks at a link.
    case operate(link: Int)
    case proceed(host: Int)
    case feed(partition: Int)
}

/// What will happen, by time and then by age: a binary heap.
struct SimulatorAgenda {
    private struct Entry {
        let key: UInt64
        let job: SimulatedJob
    }

    private var entries: [Entry] = []
    private var serial: UInt64 = 0

    mutating func add(_ job: SimulatedJob, at time: Int) {
        serial += 1
        entries.append(Entry(key: UInt64(time) << 32 | serial, job: job))
        var child = entries.count - 1
        while child > 0, entries[child].key < entries[(child - 1) / 2].key {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The next job and its time; nil when nothing will happen any more.
    mutating func next() -> (time: Int, job: SimulatedJob)? {
        guard let last = entries.popLast() else { return nil }
        guard let first = entries.first else { return (Int(last.key >> 32), last.job) }
        entries[0] = last
        sink()
        return (Int(first.key >> 32), first.job)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].key < entries[smallest].key {
                smallest = child
            }
            guard smallest != parent else { return }
            entries.swapAt(parent, smallest)
            parent = smallest
        }
    }
}
