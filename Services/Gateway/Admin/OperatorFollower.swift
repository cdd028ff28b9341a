import NIOConcurrencyHelpers
import Program

/// The operators of a home as they are now: a key that is added or revoked counts with the next request.
///
/// A file that cannot be read lets nobody in: whose key was revoked must not act.
final class OperatorFollower: Sendable {
    private struct State {
        var register = OperatorRegister()
        /// Of the file that was read; nil when there was none.
        var stamp: FileStamp?
    }

    private let home: Home
    private let state = NIOLockedValueBox(State())

    init(of home: Home) { self.home = home }

    /// - Throws: `Problem`: 503 when the file cannot be read.
    func current() throws(Problem) -> OperatorRegister {
        // Before the file: if it is replaced in between, it is read again.
        let stamp = FileStamp(home.operatorsFile)
        let known = state.withLockedValue { $0.stamp == stamp ? $0.register : nil }
        if let known { return known }
        do throws(ConfigurationError) {
            let register = try OperatorRegister(of: home)
            state.withLockedValue { $0 = State(register: register, stamp: stamp) }
            return register
        } catch {
            throw .operatorsUnreadable
        }
    }
}
