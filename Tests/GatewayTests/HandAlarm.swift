import NIOConcurrencyHelpers
import NIOCore

@testable import Gateway

/// Alarms that ring when a test says so, and never by themselves.
final class HandAlarm: Sendable {
    /// One alarm that was set.
    struct Setting: Sendable {
        let number: Int
        let time: TimeAmount
        let ring: ConnectionAlarm.Action
    }

    /// One element for each alarm, in the order in which they were set.
    let settings: AsyncStream<Setting>
    private let setting: AsyncStream<Setting>.Continuation
    private let state = NIOLockedValueBox((count: 0, takenBack: Set<Int>(), isLate: false))
    private let record = NIOLockedValueBox<[Setting]>([])

    init() { (settings, setting) = AsyncStream.makeStream() }

    /// What a server is given.
    var alarm: ConnectionAlarm {
        ConnectionAlarm { [self] _, time, ring in
            let (number, isLate) = state.withLockedValue { state in
                state.count += 1
                return (state.count - 1, state.isLate)
            }
            let bell: ConnectionAlarm.Action = { [self] in
                if !isTakenBack(number) { ring() }
            }
            let made = Setting(number: number, time: time, ring: bell)
            record.withLockedValue { $0.append(made) }
            setting.yield(made)
            if isLate { ring() }
            return { [self] in state.withLockedValue { _ = $0.takenBack.insert(number) } }
        }
    }

    /// Every alarm that was set.
    var all: [Setting] { record.withLockedValue { $0 } }

    /// The next alarm that is set.
    func next() async -> Setting? { await settings.first { _ in true } }

    /// Rings all that were set and not taken back, and from now on every one at once.
    func ringAll() {
        state.withLockedValue { $0.isLate = true }
        for setting in all { setting.ring() }
    }

    func isTakenBack(_ setting: Setting) -> Bool { isTakenBack(setting.number) }

    private func isTakenBack(_ number: Int) -> Bool {
        state.withLockedValue { $0.takenBack.contains(number) }
    }
}
