/// What a simulation will do, by time and then in the order in which it was planned.
package struct SimulationQueue<Action> {
    /// The next action is the last one.
    private var planned: [(time: Int, action: Action)] = []

    package init() {}

    /// Plans an action; `time` is in ms from the beginning.
    package mutating func add(_ action: Action, at time: some BinaryInteger) {
        let later = planned.lastIndex { $0.time > time }
        planned.insert((Int(time), action), at: later.map { $0 + 1 } ?? 0)
    }

    /// The next action and its time; nil when none is planned any more.
    package mutating func next() -> (time: Int, action: Action)? { planned.popLast() }
}
