/// What is going to happen, in order of time.
struct GroupAgenda {
    private struct Entry {
        let time: Int64
        let order: Int
        let happening: GroupHappening

        func isBefore(_ other: Entry) -> Bool { (time, order) < (other.time, other.order) }
    }

    private var heap: [Entry] = []
    private var count = 0
    /// How many entries are more than timers.
    private(set) var inFlight = 0

    mutating func add(_ happening: GroupHappening, at time: Int64) {
        count += 1
        if !happening.isTimer { inFlight += 1 }
        heap.append(Entry(time: time, order: count, happening: happening))
        var child = heap.count - 1
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func next() -> (time: Int64, happening: GroupHappening)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        if !first.happening.isTimer { inFlight -= 1 }
        return (first.time, first.happening)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].isBefore(heap[least]) { least = child }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
