/// What a simulation will do, by time and then in the order in which it was planned.
package struct SimulationQueue<Action> {
    private static var serialBits: UInt64 { 32 }

    /// Time and serial number of every action, as a binary heap.
    private var keys: [UInt64] = []
    private var actions: [UInt64: Action] = [:]
    private var serial: UInt64 = 0

    package init() {}

    /// Plans an action; `time` is in ms from the beginning.
    package mutating func add(_ action: Action, at time: some BinaryInteger) {
        serial += 1
        let key = UInt64(time) << Self.serialBits | serial
        actions[key] = action
        keys.append(key)
        var child = keys.count - 1
        while child > 0, keys[child] < keys[(child - 1) / 2] {
            keys.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The next action and its time; nil when none is planned any more.
    package mutating func next() -> (time: Int, action: Action)? {
        guard let first = keys.first, let action = actions.removeValue(forKey: first) else { return nil }
        let last = keys.removeLast()
        if !keys.isEmpty {
            keys[0] = last
            sink()
        }
        return (Int(first >> Self.serialBits), action)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < keys.count && keys[child] < keys[least] {
                least = child
            }
            guard least != parent else { return }
            keys.swapAt(parent, least)
            parent = least
        }
    }
}
