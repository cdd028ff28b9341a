import NIOConcurrencyHelpers
import NIOCore

@testable import Gateway

/// Alarms that ring when a test says so, and never by themselves.
final class HandAlarm: Sendable {
    /// One alarm that was set.
    struct Setting: Sendable {
        let number: Int
        let time: TimeAmount
        let ring: BodyAlarm.Action
    }

    /// One element for each alarm, in the order in which they were set.
    let settings: AsyncStream<Setting>
    private let setting: AsyncStream<Setting>.Continuation
    private let state = NIOLockedValueBox((count: 0, takenBack: Set<Int>()))

    init() { (settings, setting) = AsyncStream.makeStream() }

    /// What a server is given.
    var alarm: BodyAlarm {
        BodyAlarm { [self] _, time, ring in
            let number = state.withLockedValue { state in
                state.count += 1
                return state.count - 1
            }
            let bell: BodyAlarm.Action = { [self] in
                if !isTakenBack(number) { ring() }
            }
            setting.yield(Setting(number: number, time: time, ring: bell))
            return { [self] in state.withLockedValue { _ = $0.takenBack.insert(number) } }
        }
    }

    /// The next alarm that is set.
    func next() async -> Setting? { await settings.first { _ in true } }

    func isTakenBack(_ setting: Setting) -> Bool { isTakenBack(setting.number) }

    private func isTakenBack(_ number: Int) -> Bool {
        state.withLockedValue { $0.takenBack.contains(number) }
    }
}
