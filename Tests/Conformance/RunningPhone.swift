import Foundation
import Glibc
import NIOConcurrencyHelpers

/// The client that runs now, and its files, so that neither outlives this program.
final class RunningPhone: Sendable {
    private struct State {
        var pid: pid_t?
        var files: URL?
    }

    private let state = NIOLockedValueBox(State())

    func note(_ pid: pid_t?) { state.withLockedValue { $0.pid = pid } }
    func note(_ files: URL) { state.withLockedValue { $0.files = files } }

    /// Kills the client, if there is one, and removes its files.
    func clear() {
        let last = state.withLockedValue { $0 }
        if let pid = last.pid { PhoneProcess.kill(pid) }
        guard let files = last.files else { return }
        // Without them there is nothing left to do.
        do { try FileManager.default.removeItem(at: files) } catch { return }
    }
}
